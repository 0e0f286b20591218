#!lua
-- One commit of a match, all or nothing.
--
-- The first line makes the server look before it runs anything: short of memory, read-only or
-- unable to persist, it refuses the script as a whole. Every check below comes before the first
-- write, and no write below can fail after it.
--
-- KEYS  1 the match (hash)   2 its events (stream)
-- ARGV  1 expected version, "" to create   2 new version   3 state   4 last event read   5 nonce
--       6 time to live in milliseconds   7 wake-up channel   8 answer field, "" for none   9 answer
--       10, 11 number and data of the first entry; 12, 13 of the second; and so on
-- Answers { outcome } or { "answered", the kept answer }.
--
-- An ACL has to allow EVALSHA, EVAL, HMGET, HGET, HSET, XRANGE, XADD, PEXPIRE and, for wake-ups,
-- PUBLISH.

local match, events = KEYS[1], KEYS[2]
local expected, version, state, base_seq, nonce = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local ttl, channel, answer_field, answer = ARGV[6], ARGV[7], ARGV[8], ARGV[9]
local FIRST_ENTRY = 10
local creating = expected == ''

local now = redis.call('HMGET', match, 'version', 'seq', 'created')
local exists, is_expected = now[1], now[1] == expected and now[2] == base_seq

-- The network or a client may deliver a commit twice, and others may have come in between. The
-- entry that follows the last one read was written by whoever won that version: its nonce tells
-- whether it was this very commit.
local function is_repeated()
  if creating then
    return now[3] == nonce
  end
  local next_entry = redis.call('XRANGE', events, '(' .. base_seq .. '-0', '+', 'COUNT', 1)[1]
  return next_entry and next_entry[2][1] == 'nonce' and next_entry[2][2] == nonce
end

-- What an earlier delivery wrote may not have reached the replicas. They are asked for what this
-- connection wrote, so the version is written over itself, which changes nothing.
local function again(...)
  redis.call('HSET', match, 'version', now[1])
  return { ... }
end

if exists then
  if not is_expected and is_repeated() then
    return again('committed')
  end
  local kept = answer_field ~= '' and redis.call('HGET', match, answer_field)
  if kept then
    return again('answered', kept)
  end
  if creating then
    return { 'exists' }
  end
  if not is_expected then
    return { 'conflict' }
  end
elseif not creating then
  return { 'gone' }
end

local last_seq = base_seq
for i = FIRST_ENTRY, #ARGV, 2 do
  last_seq = ARGV[i]
  if i == FIRST_ENTRY then
    redis.call('XADD', events, last_seq .. '-0', 'nonce', nonce, 'data', ARGV[i + 1])
  else
    redis.call('XADD', events, last_seq .. '-0', 'data', ARGV[i + 1])
  end
end
redis.call('HSET', match, 'version', version, 'seq', last_seq, 'state', state)
if creating then
  redis.call('HSET', match, 'created', nonce)
end
if answer_field ~= '' then
  redis.call('HSET', match, answer_field, answer)
end

-- Time stands still in a script, so both keys expire at the same millisecond.
redis.call('PEXPIRE', match, ttl)
redis.call('PEXPIRE', events, ttl)

-- By now the commit stands: a user without the right to publish must not be told that it failed.
redis.pcall('PUBLISH', channel, last_seq)
return { 'committed' }
