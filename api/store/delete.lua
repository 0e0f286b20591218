#!lua flags=allow-oom
-- Removes all that is kept of a match and wakes those who watch it. It needs no memory, so that a
-- full server allows it.
-- KEYS  1 the match (hash)   2 its events (stream)
-- ARGV  1 wake-up channel
-- Answers how many keys there were.
local removed = redis.call('UNLINK', KEYS[1], KEYS[2])
if removed > 0 then
  redis.pcall('PUBLISH', ARGV[1], 0)
end
return removed
