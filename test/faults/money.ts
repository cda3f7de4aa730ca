/**
 * `bun test/faults/money.ts`: the whole platform under work and faults, and a recount of all money that shares no code
 * with it. See --help.
 */
import { parseArgs } from 'node:util'
import { attacks } from './money/attacks'
import { noticed } from './money/noticed'
import { report } from './money/report'
import { type Done, run } from './money/run'
import { sixteen, together } from './money/stack'

const help = () => `Usage: bun test/faults/money.ts [--minutes N | --seconds N] [--seed S]

Runs all services as processes of their own on an EVM node and simulated networks, while customers, institutions,
operators and strangers move money, and services, Redis and the node are killed, frozen, lied to and set back. Then
everything settles, and all money is counted again from the databases and the chains. Ends with 1 when something is lost,
made, doubled, stuck or wrong.

  --minutes N, --seconds N   how long there is work (5 minutes)
  --seed S                   of all that is random (printed; now's time)
  --lanes N                  how much is done at a time (6)
  --customers N              (12)
  --faults N                 how many faults there are at a time; 0 for none (2)
  --restores PERCENT         of the faults of processes: how many set a database back to an earlier copy (8)
  --together                 the services that hold no money share one process: for small machines
  --attack NAME, --attacks   after the run, tampers with copies of its databases and the chain: the recount must notice
                             each ${attacks.map(({ name }) => name).join(', ')}
  --logs FOLDER              keeps the services' logs there, and their databases as they were in the end
  --help                     this text
`
const { values } = parseArgs({
  options: {
    minutes: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    lanes: { type: 'string', default: '6' },
    customers: { type: 'string', default: '12' },
    faults: { type: 'string', default: '2' },
    restores: { type: 'string', default: '8' },
    together: { type: 'boolean', default: false },
    attack: { type: 'string' },
    attacks: { type: 'boolean', default: false },
    logs: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  },
})
if (values.help) {
  process.stdout.write(help())
  process.exit(0)
}

const begun = performance.now()
const print = (line: string) => console.log(`${((performance.now() - begun) / 1000).toFixed(1).padStart(7)} s  ${line}`)
const seed = Number(values.seed)
print(
  `seed ${seed}; again: bun test/faults/money.ts ${process.argv
    .slice(2)
    .join(' ')
    .replace(/--seed \S+/, '')} --seed ${seed}`,
)
const isGood = await run(
  {
    seed,
    seconds: Number(values.seconds ?? Number(values.minutes ?? 5) * 60),
    untilEnough: values.attacks || values.attack !== undefined,
    units: values.together ? together(['core-ledger', 'wallet', 'blockchain', 'transaction-manager']) : sixteen(),
    lanes: Number(values.lanes),
    customers: Number(values.customers),
    institutions: 3,
    faultLanes: Number(values.faults),
    restorePercent: Number(values.restores),
    blockMs: 500,
    stillMs: 300_000,
    ...(values.logs && { logs: values.logs }),
    print,
  },
  async (done) => {
    const isClean = report(done, print)
    return (await areNoticed(done)) && isClean
  },
)

/** Whether the recount notices each attack that was asked for. */
async function areNoticed(done: Done): Promise<boolean> {
  const chosen = attacks.filter(({ name }) => values.attacks || name === values.attack)
  let areAll = true
  for (const attack of chosen) {
    const found = await noticed(done, attack)
    const isNoticed = found.some(({ kind }) => kind === attack.expected)
    areAll &&= isNoticed
    const words = found.map(({ kind, what }) => `${kind}: ${what}`).join('; ')
    print(`attack ${attack.name}: ${isNoticed ? 'noticed' : 'NOT NOTICED'}; ${words || 'nothing found'}`)
  }
  return areAll
}
process.exit(isGood ? 0 : 1)
