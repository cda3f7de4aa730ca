// Measures one service: started by lists.ts, with the settings of production.

import { Database } from 'bun:sqlite'
import type { ServiceName } from '@bursar/contracts/services'
import { type Measured, measureOperation } from './measure'
import { openFilled } from './open'
import { planComplaints } from './plans'
import { grownTables } from './seed'
import { seeds } from './seeds'
import { watchStatements } from './watch-statements'

const [service, rowsText, folder, out, operationPart = ''] = process.argv.slice(2) as [
  ServiceName,
  string,
  string,
  string,
  string?,
]
const rows = Number(rowsText)
const readMs = 200
/** The rest is told as a number: they are no finding. */
const kept = 40

const seed = seeds[service]
if (!seed) throw new Error(`There is no seed for ${service} (test/scale/seeds)`)
const statements = watchStatements()
const say = (text: string) => console.error(`${service}: ${text}`)
const begun = performance.now()
const opened = await openFilled(service, seed, folder, rows)
say(`${rows} rows are there after ${seconds(begun)} s; ${opened.operations.length} operations`)

const texts = new Set<string>()
let all: Measured[] = []
let requests = 0
const notOk = new Map<string, number>()
const answeredWell = new Set<string>()
for (const operation of opened.operations.filter(({ name }) => name.includes(operationPart))) {
  const from = performance.now()
  const ofThis: Measured[] = []
  const count = await measureOperation(opened, operation, {
    statements,
    readMs,
    againFromMs: 15,
    ran: (text) => texts.add(text),
    answered: (measured, { body }) => {
      ofThis.push(measured)
      if (process.env.SHOW && measured.status !== 200)
        console.error(measured.status, measured.request, JSON.stringify(body).slice(0, 300))
      if (measured.status === 200) answeredWell.add(operation.name)
      else
        notOk.set(`${measured.status} ${operation.name}`, (notOk.get(`${measured.status} ${operation.name}`) ?? 0) + 1)
    },
  })
  requests += count
  const worst = ofThis.reduce((a, b) => (b.turnMs > a.turnMs ? b : a))
  say(`${operation.name}: ${count} requests in ${seconds(from)} s, longest turn ${worst.turnMs.toFixed(1)} ms`)
  // The slowest of each operation, and whatever is over half of the limit.
  ofThis.sort((a, b) => Math.max(b.turnMs, b.statementMs) - Math.max(a.turnMs, a.statementMs))
  all = [...all, ...ofThis.slice(0, kept)]
}
await opened.close()
const db = new Database(opened.file, { readonly: true })
const plans = planComplaints(opened.file, texts, { grown: grownTables(db, seed), exceptions: seed.plans ?? {} })
db.close()
const unanswered = opened.operations
  .filter(({ name }) => name.includes(operationPart) && !answeredWell.has(name))
  .map(({ name }) => name)
await Bun.write(out, JSON.stringify({ service, requests, measured: all, plans, notOk: [...notOk], unanswered }))
process.exit(0)

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
