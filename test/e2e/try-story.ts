import { builtServices, testPlatform } from '@bursar/testing/platform'
import { tellStory } from '/work/wt/notif/scripts/demo/story'
import { callerAt } from '/work/wt/notif/scripts/demo/gateway'
const admin = { email: 'admin@bursar.example', password: 'an administrator of the tests' }
const t0=performance.now()
const platform = await testPlatform(builtServices(), { NETWORK_POLL_MS: '100', OUTBOUND_ALLOW: '127.0.0.1', ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password, LOG_LEVEL: process.env.LL ?? 'error' })
console.log('started', performance.now()-t0)
for (const [k,v] of Object.entries(platform.env)) if (v !== undefined) process.env[k] = v
try {
  await tellStory({ as: callerAt(platform.url('gateway')), admin, dataDir: platform.dataDir, run: String(Date.now()).slice(-8), say: (l) => console.log(((performance.now()-t0)/1000).toFixed(1), l) })
} catch (e) { console.error(e); const m = platform.dataDir + "/mail"; for (const f of require("fs").existsSync(m) ? require("fs").readdirSync(m) : ["none"]) console.log(f, require("fs").readFileSync(m + "/" + f, "utf8")) }
await platform.close()
process.exit(0)
