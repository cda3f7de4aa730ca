-- POST a transfer of a cent between any two of the first PARTICIPANTS participants; ids are made by payment-seed.ts.
local participants = tonumber(os.getenv("PARTICIPANTS"))

math.randomseed(os.time())
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

local body = '{"amount":"0.01","currency":"USD","fromParticipantBankId":"01900001-0000-7000-8000-%012x",'
  .. '"toParticipantBankId":"01900001-0000-7000-8000-%012x","description":"Invoice 204"}'

function request()
  local from = math.random(0, participants - 1)
  local to = (from + math.random(1, participants - 1)) % participants
  return wrk.format(nil, nil, nil, string.format(body, from, to))
end
