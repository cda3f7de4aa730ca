// What every list, filter, search, export and count of every service does to the event loop at a million rows:
//   bun test/scale/lists.ts [--rows N] [--only service[,service]] [--keep folder] [--operation part] [--brief] [--help]
// One service after the other, each in a process of its own with the settings of production: fills its database (seeds/),
// asks all GETs that it has (requests.ts), and measures the turns of the event loop and the statements. Prints the slowest.
// Ends with 1 where a turn takes longer than 50 ms, or a statement of the payments' search longer than 20 ms.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { ServiceName } from '@bursar/contracts/services'
import { tempDir } from '@bursar/testing'
import { limitOf, type Outcome, overLimit, problemsOf, rowOf, shareOfLimit } from './outcome'
import { seeds } from './seeds'

const usage = `bun test/scale/lists.ts [--rows N] [--only service[,service]] [--keep folder] [--operation part] [--brief]

  --rows       how many rows whatever grows gets; 1000000 unless given
  --only       these services alone: ${Object.keys(seeds).join(', ')}
  --keep       a folder that keeps the databases for the next time, some 20 GB at a million rows
  --operation  the operations whose name has this part alone, such as "GET /transactions"
  --brief      pairs of filters in one order and with one value each: a tenth of the time`

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    only: { type: 'string' },
    keep: { type: 'string' },
    operation: { type: 'string', default: '' },
    brief: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})
if (given.help) {
  console.log(usage)
  process.exit(0)
}
const names = (given.only?.split(',') ?? Object.keys(seeds)) as ServiceName[]
const unknown = names.filter((name) => !(name in seeds))
if (unknown.length > 0 || !(Number(given.rows) > 0)) {
  console.error(unknown.length > 0 ? `There is no seed for ${unknown.join(', ')}\n\n${usage}` : usage)
  process.exit(1)
}

const outcomes: Outcome[] = []
for (const name of names) {
  const folder = given.keep ? join(given.keep, `${name}-${given.rows}`) : join(tempDir(), name)
  mkdirSync(folder, { recursive: true })
  outcomes.push(await measured(name, folder))
  if (!given.keep) rmSync(folder, { recursive: true })
}
report()

async function measured(name: ServiceName, folder: string): Promise<Outcome> {
  const out = join(tempDir(), 'outcome.json')
  const one = Bun.spawn(
    [
      process.execPath,
      join(import.meta.dir, 'one.ts'),
      name,
      given.rows,
      folder,
      out,
      given.operation,
      given.brief ? 'brief' : '',
    ],
    { env: { ...process.env, NODE_ENV: 'production' }, stdout: 'inherit', stderr: 'inherit' },
  )
  if ((await one.exited) !== 0) throw new Error(`${name} could not be measured`)
  return await Bun.file(out).json()
}

function report() {
  const all = outcomes.flatMap(({ measured }) => measured)
  console.log(
    `\n${outcomes.reduce((sum, { requests }) => sum + requests, 0)} requests at ${given.rows} rows; the slowest:`,
  )
  console.table(
    all
      .sort((a, b) => shareOfLimit(b) - shareOfLimit(a))
      .slice(0, 40)
      .map(rowOf),
  )
  const problems = outcomes.flatMap(problemsOf)
  const over = all.filter(overLimit)
  for (const problem of problems) console.log(problem)
  for (const each of over) {
    const { service, request, turnMs, statementMs, statement } = each
    const what = `turn ${turnMs.toFixed(1)} ms, statement ${statementMs.toFixed(1)} ms (limit ${limitOf(each)} ms)`
    console.log(`\n${service}: ${request}: ${what}\n  ${statement}`)
  }
  console.log(over.length + problems.length === 0 ? '\nAll within their limits' : `\n${over.length} over their limit`)
  process.exit(over.length + problems.length === 0 ? 0 : 1)
}
