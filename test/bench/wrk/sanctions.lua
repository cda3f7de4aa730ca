-- Screens addresses: ADDRESSES=known (a thousand, again and again), new (never the same) or listed.
local kind = os.getenv("ADDRESSES")
local base = tonumber(string.sub(os.getenv("RUN") or "1", -6):gsub("%D", ""), 10) or 1
local count = 0
math.randomseed(base)

request = function()
  count = count + 1
  local address
  if kind == "known" then
    address = string.format("0xc%039x", math.random(0, 999))
  elseif kind == "listed" then
    address = string.format("0xb%039x", math.random(0, 999999))
  else
    address = string.format("0xd%08x%08x%023x", base, math.random(0, 2147483647), count)
  end
  local body = '{"address":"' .. address .. '","blockchain":"ethereum"}'
  return wrk.format("POST", "/v1/sanctions/verify-address/sync", { ["content-type"] = "application/json" }, body)
end
