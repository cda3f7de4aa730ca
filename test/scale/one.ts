// Measures one service: started by lists.ts, with the settings of production.
import { Database } from 'bun:sqlite'
import type { ServiceName } from '@bursar/contracts/services'
import { type Measured, measureOperation } from './measure'
import { openFilled } from './open'
import { type Outcome, shareOfLimit } from './outcome'
import { planComplaints } from './plans'
import { grownTables } from './seed'
import { seeds } from './seeds'
import { watchStatements } from './watch-statements'

const [service, rowsText, folder, out, part = '', brief = ''] = process.argv.slice(2) as [
  ServiceName,
  string,
  string,
  string,
  string?,
  string?,
]
/** Lists without pages are read for so long; an operation's first request, which has no filter, longer. */
const readMs = 200
const firstReadMs = 15_000
/** So many of each operation are told, the slowest. */
const kept = 40

const seed = seeds[service]
if (!seed) throw new Error(`There is no seed for ${service} (test/scale/seeds)`)
const statements = watchStatements()
const say = (text: string) => console.error(`${service}: ${text}`)
const begun = performance.now()
const opened = await openFilled(service, seed, folder, Number(rowsText))
say(`${rowsText} rows are there after ${seconds(begun)} s; ${opened.operations.length} operations`)

const texts = new Set<string>()
const answeredWell = new Set<string>()
const notOk = new Map<string, number>()
const outcome: Outcome = { service, requests: 0, measured: [], plans: [], notOk: [], unanswered: [] }
for (const operation of opened.operations.filter(({ name }) => name.includes(part))) {
  const from = performance.now()
  const ofThis: Measured[] = []
  const ran = (text: string) => texts.add(text)
  const answered = (measured: Measured) => {
    ofThis.push(measured)
    if (shareOfLimit(measured) > 1) say(`${measured.request}: ${measured.turnMs.toFixed(1)} ms`)
    const what = `${measured.status} ${operation.name}`
    if (measured.status === 200) answeredWell.add(operation.name)
    else notOk.set(what, (notOk.get(what) ?? 0) + 1)
  }
  const count = await measureOperation(opened, operation, {
    statements,
    readMs,
    firstReadMs,
    isRepeated: true,
    isBrief: brief === 'brief',
    ran,
    answered,
  })
  ofThis.sort((a, b) => shareOfLimit(b) - shareOfLimit(a))
  say(`${operation.name}: ${count} requests in ${seconds(from)} s, longest turn ${ofThis[0]?.turnMs.toFixed(1)} ms`)
  outcome.requests += count
  outcome.measured.push(...ofThis.slice(0, kept))
  if (!answeredWell.has(operation.name)) outcome.unanswered.push(operation.name)
  // As far as it is known: a run of some minutes may be ended.
  await Bun.write(out, JSON.stringify({ ...outcome, notOk: [...notOk] }))
}
await opened.close()
const db = new Database(opened.file, { readonly: true })
const plans = planComplaints(opened.file, texts, { grown: grownTables(db, seed), exceptions: seed.plans ?? {} })
db.close()
await Bun.write(out, JSON.stringify({ ...outcome, notOk: [...notOk], plans }))
process.exit(0)

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
