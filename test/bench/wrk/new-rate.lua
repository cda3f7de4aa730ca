-- POST /rates for the asset CODE.
wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = string.format('{"assetCode":"%s"}', os.getenv("CODE"))
