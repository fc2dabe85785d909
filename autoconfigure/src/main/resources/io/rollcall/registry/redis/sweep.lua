-- Removes what has expired from a service of which no instance may be left to do it.
-- Returns: 1 if there is anything left, or 0
-- Keys of other types than ours are not ours to remove.
pcall(sweep)
return {redis.call('EXISTS', leases)}
