-- Makes an instance leave. What stays for a while says so to readers, and refuses a join that was delayed on its way.
-- ARGV: id, owner, generation, member of Swoole's set or '', how long to remember in ms, channel
-- Returns: 'stale', 'foreign', 'left' or 'same'; what hinders writing Swoole's set, or ''
local id, owner, generation, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local knownOwner, knownGeneration, knownMember = held(id)
if knownOwner and knownOwner ~= owner then
    return {'foreign', ''}
end
if knownOwner and tonumber(knownGeneration) > tonumber(generation) then
    return {'stale', ''}
end

local known = lease(id)
redis.call('ZADD', leases, -(now + ARGV[5]), id)
redis.call('HDEL', instances, id)
local problem = withdraw({member, knownMember or ''})
-- A member that could not be removed stays known, so that a sweep tries again.
hold(id, owner, generation, problem and member or '')
if redis.call('ZCOUNT', leases, 0, '+inf') == 0 then
    keep(4 * ARGV[5] + 60000)
end
if known <= 0 then
    return {'same', problem or ''}
end
redis.call('PUBLISH', ARGV[6], 'leave ' .. id)
return {'left', problem or ''}
