-- Reads the names of the services that have a live instance, and forgets those of which nothing is left.
-- KEYS: the set of names. The leases are in other slots, so that this is not for Redis Cluster.
-- ARGV: what stands before and after the name in the key of a service's leases
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local names = {}
for _, name in ipairs(redis.call('SMEMBERS', KEYS[1])) do
    local leases = ARGV[1] .. name .. ARGV[2]
    local live = redis.pcall('ZCOUNT', leases, '(' .. now, '+inf')
    if type(live) == 'number' and live > 0 then
        names[#names + 1] = name
    elseif redis.call('EXISTS', leases) == 0 then
        redis.pcall('SREM', KEYS[1], name)
    end
end
return names
