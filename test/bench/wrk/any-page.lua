-- GET one of 1,000 pages of ten assets, all near an end of an index.
local sorts = { "createdAt", "updatedAt" }
local orders = { "asc", "desc" }

math.randomseed(os.time())

function request()
  local sort, order = sorts[math.random(2)], orders[math.random(2)]
  return wrk.format("GET", string.format("/assets?limit=10&offset=%d&sortBy=%s&sortOrder=%s", math.random(0, 249), sort, order))
end
