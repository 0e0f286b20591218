#!lua flags=allow-oom
-- Reads a match where replicas have to confirm what is told of it.
--
-- They are asked for what the asking connection wrote, which may be nothing: so the version is
-- written over itself. That comes after all that was written before, and changes nothing.
-- KEYS  1 the match (hash)
-- ARGV  the fields to read, "version" first
-- Answers the fields.
local fields = redis.call('HMGET', KEYS[1], unpack(ARGV))
if fields[1] then
  redis.call('HSET', KEYS[1], 'version', fields[1])
end
return fields
