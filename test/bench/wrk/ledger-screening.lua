-- POST the verdict "not passed" (or "passed", where APPROVED says so) on the next of the pending deposits that ledger-seed.ts
-- made. The file COUNTER tells how far the runs before have come.
local file = os.getenv("COUNTER")
local threads = {}
local verdict = os.getenv("APPROVED") and "true" or "false"
local body = '{"id":"01900004-0000-7000-8000-%012x","isApproved":' .. verdict .. '}'

function setup(thread)
  table.insert(threads, thread)
end

function init()
  local counter = io.open(file)
  count = counter and tonumber(counter:read("*l")) or 0
  if counter then counter:close() end
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function request()
  count = count + 1
  return wrk.format(nil, nil, nil, string.format(body, count - 1))
end

function done()
  local counter = io.open(file, "w")
  counter:write(tostring(threads[1]:get("count")))
  counter:close()
end
