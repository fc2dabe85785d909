-- Reads a service, and removes what has expired if that is allowed.
-- ARGV: longest record in bytes, '1' to remove
-- Returns: incarnation, or '' if there is none or all leases have ended; live instances as {id, ms left, record or its length if it
-- is too long}; ids that have left; members of Swoole's set that are not ours; what hinders reading that set, or ''
if ARGV[2] == '1' then
    -- Whether it may and can is no matter for who wants to read.
    pcall(sweep)
end

local live, left = {}, {}
local entries = redis.call('ZRANGE', leases, 0, -1, 'WITHSCORES')
for i = 1, #entries, 2 do
    local id, ends = entries[i], tonumber(entries[i + 1])
    if ends > now then
        local record = redis.call('HGET', instances, id) or ''
        live[#live + 1] = {id, math.min(ends - now, 86400000), #record > tonumber(ARGV[1]) and #record or record}
    elseif ends < -now then
        left[#left + 1] = id
    end
end

local ours = {}
local holders = redis.call('HGETALL', owners)
for i = 2, #holders, 2 do
    ours[string.match(holders[i], '^%S+ %d+ (%S+)$') or ''] = true
end
local others = {}
local members = redis.pcall('SMEMBERS', swoole)
local problem = failed(members)
if not problem then
    for _, member in ipairs(members) do
        if not ours[member] then
            others[#others + 1] = string.sub(member, 1, 100)
        end
    end
end

return {not lapsed() and redis.call('HGET', owners, '@incarnation') or '', live, left, others, problem or ''}
