-- POST with a code that nobody had: RUN is another for each run of wrk.
local run = os.getenv("RUN")
local count = 0

wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

function request()
  count = count + 1
  local body = string.format('{"name":"Asset %d","code":"%s-%d","description":"Made by the benchmark"}', count, run, count)
  return wrk.format(nil, nil, nil, body)
end
