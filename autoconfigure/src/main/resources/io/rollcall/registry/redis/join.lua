-- Registers or renews an instance.
-- ARGV: id, record, owner, generation, member of Swoole's set or '', lease in ms, retention in ms, channel
-- Returns: 'stale', 'new', 'changed' or 'same'; what hinders writing Swoole's set, or ''
--          or 'held'; the address of the live instance of another owner that has the id
local id, record, owner, generation, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]

local knownOwner, knownGeneration, knownMember = held(id)
if knownOwner == owner and tonumber(knownGeneration) > tonumber(generation) then
    return {'stale', ''}
end

local function address(text)
    local read, fields = pcall(cjson.decode, text or '')
    return read and type(fields) == 'table' and fields.host and fields.port and fields.host .. ':' .. fields.port
end

-- Of one address it is a predecessor. Of another one: both would overwrite each other for ever.
if knownOwner and knownOwner ~= owner and lease(id) > now then
    local known = address(redis.call('HGET', instances, id))
    if known and known ~= address(record) then
        return {'held', known}
    end
end

local outcome = 'same'
if lease(id) <= now then
    outcome = 'new'
    renew_incarnation()
elseif redis.call('HGET', instances, id) ~= record then
    outcome = 'changed'
end

redis.call('ZADD', leases, now + ARGV[6], id)
hold(id, owner, generation, member)
if outcome ~= 'same' then
    redis.call('HSET', instances, id, record)
end

-- The set is written every time, since others may remove members. It is an extra: its faults do not stop the registration.
local problem
if member ~= '' then
    problem = failed(redis.pcall('SADD', swoole, member))
end
if knownMember and knownMember ~= '' and knownMember ~= member then
    problem = withdraw({knownMember}) or problem
end
problem = sweep() or problem
keep(ARGV[7])
if outcome ~= 'same' then
    redis.call('PUBLISH', ARGV[8], 'join ' .. id)
end
return {outcome, problem or ''}
