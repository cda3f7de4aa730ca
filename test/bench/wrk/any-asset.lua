-- GET any of the first ROWS assets; their ids are made by seed.ts.
local rows = tonumber(os.getenv("ROWS"))

math.randomseed(os.time())

function request()
  return wrk.format(nil, string.format("/assets/01900000-0000-7000-8000-%012x", math.random(0, rows - 1)))
end
