import { testService } from '@bursar/testing/service'
import { config } from '/work/wt/txm/services/transaction-manager/src/config'
import { definition } from '/work/wt/txm/services/transaction-manager/src/service'

const m = await testService({
  name: 'transaction-manager',
  dataDir: '/tmp/txm-bench',
  definition: definition(config({})),
})
const qs = process.argv.slice(2)
for (const q of qs) {
  const out: string[] = []
  for (let i = 0; i < 4; i++) {
    const c = process.cpuUsage()
    const t = performance.now()
    const r = await m.get('/transactions?' + q)
    const d = process.cpuUsage(c)
    out.push(
      ((d.user + d.system) / 1000).toFixed(1) +
        '/' +
        (performance.now() - t).toFixed(1) +
        (r.status !== 200 ? ' ' + r.status : ''),
    )
  }
  console.log(q, out.join('  '))
}
await m.close()
