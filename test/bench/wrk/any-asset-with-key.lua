-- GET any of the first ROWS assets below PREFIX with an API key; their ids are made by seed.ts.
local rows = tonumber(os.getenv("ROWS"))
local prefix = os.getenv("PREFIX")

math.randomseed(os.time())
wrk.headers["X-API-KEY"] = os.getenv("API_KEY")

function request()
  return wrk.format(nil, string.format("%s/assets/01900000-0000-7000-8000-%012x", prefix, math.random(0, rows - 1)))
end
