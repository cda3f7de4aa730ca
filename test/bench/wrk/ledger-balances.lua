-- GET the balances of any of the first ACCOUNTS accounts; their ids are made by ledger-seed.ts.
local accounts = tonumber(os.getenv("ACCOUNTS"))

math.randomseed(os.time())

function request()
  return wrk.format(nil, string.format("/balances/account/01900001-0000-7000-8000-%012x", math.random(0, accounts - 1)))
end
