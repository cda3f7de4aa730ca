-- POST a withdrawal of the smallest unit from any of the first ACCOUNTS accounts; their ids are made by ledger-seed.ts.
local accounts = tonumber(os.getenv("ACCOUNTS"))

-- Two instances that are loaded at the same time are not asked for the same accounts in the same order.
math.randomseed(tonumber((os.getenv("RUN"):gsub("%D", ""))))
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"

local body = '{"accountId":"01900001-0000-7000-8000-%012x","network":"testnet","assetId":"01900000-0000-7000-8000-000000000000",'
  .. '"amount":"0.000001","destinationAddress":"destination"}'

function request()
  return wrk.format(nil, nil, nil, string.format(body, math.random(0, accounts - 1)))
end
