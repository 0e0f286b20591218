#!lua
-- Adds to the counters of one minute, all of them in one hash that expires as a whole.
--
-- KEYS  1 the hash
-- ARGV  1 time to live in milliseconds   2, 3 name and addend of the first; and so on
-- Answers what each counter has come to.

local totals = {}
for i = 2, #ARGV, 2 do
  totals[#totals + 1] = redis.call('HINCRBY', KEYS[1], ARGV[i], ARGV[i + 1])
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
return totals
