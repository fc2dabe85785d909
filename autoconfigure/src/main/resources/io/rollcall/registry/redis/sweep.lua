-- Removes what has expired from a service of which no instance may be left to do it.
-- Returns: 1 if there is anything left, or 0
sweep()
return {redis.call('EXISTS', leases)}
