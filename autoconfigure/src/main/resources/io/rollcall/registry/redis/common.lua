-- Stands before every script that changes or reads one service.
-- KEYS: leases, instances, owners, Swoole's set; all in one slot.
local leases, instances, owners, swoole = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

-- When an id's lease ends; if it has left, minus the time until which that is remembered; 0 if there is nothing.
local function lease(id)
    return tonumber(redis.call('ZSCORE', leases, id) or '0')
end

-- Who wrote an id last, their generation then, and the member of Swoole's set that belongs to it.
local function held(id)
    return string.match(redis.call('HGET', owners, id) or '', '^(%S+) (%d+) ?(%S*)$')
end

local function hold(id, owner, generation, member)
    redis.call('HSET', owners, id, owner .. ' ' .. generation .. ' ' .. member)
    redis.call('HSETNX', owners, '@incarnation', time[1] .. '.' .. time[2] .. '-' .. owner)
end

-- Whether nobody is alive, and several have not left but let their leases end: one alone may well have died.
local function lapsed()
    return redis.call('ZCOUNT', leases, '(' .. now, '+inf') == 0 and redis.call('ZCOUNT', leases, '(0', now) > 1
end

local function keep(milliseconds)
    redis.call('PEXPIRE', leases, milliseconds)
    redis.call('PEXPIRE', instances, milliseconds)
    redis.call('PEXPIRE', owners, milliseconds)
end

local function failed(reply)
    return type(reply) == 'table' and reply.err
end

-- Takes members out of Swoole's set, but not those of instances that are alive. Returns an error or nil.
local function withdraw(members)
    local alive = {}
    local all = redis.call('HGETALL', owners)
    for i = 1, #all, 2 do
        local member = string.match(all[i + 1], '^%S+ %d+ (%S+)$')
        if member and lease(all[i]) > now then
            alive[member] = true
        end
    end
    for _, member in ipairs(members) do
        if member ~= '' and not alive[member] then
            local problem = failed(redis.pcall('SREM', swoole, member))
            if problem then
                return problem
            end
        end
    end
end

-- If all leases of a service have ended, hardly all instances have died: the data is an old copy, or the clock has jumped. Then it has
-- another incarnation, so that readers do not take the others for gone as soon as the first has come back.
local function renew_incarnation()
    if lapsed() then
        redis.call('HDEL', owners, '@incarnation')
    end
end

-- Removes what has expired: instances that died without leaving, and the memory of those that left. Returns an error or nil.
local function sweep()
    local dead = redis.pcall('ZRANGEBYSCORE', leases, -now, now, 'LIMIT', 0, 100)
    if failed(dead) or #dead == 0 then
        return failed(dead)
    end
    local members = {}
    for _, id in ipairs(dead) do
        local _, _, member = held(id)
        members[#members + 1] = member or ''
    end
    renew_incarnation()
    -- First Swoole's set: who may not change it must not remove what tells the others to.
    return withdraw(members)
        or failed(redis.pcall('ZREM', leases, unpack(dead)))
        or failed(redis.pcall('HDEL', instances, unpack(dead)))
        or failed(redis.pcall('HDEL', owners, unpack(dead)))
end
