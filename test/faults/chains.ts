/**
 * `bun test/faults/chains.ts [--seed n] [--movements 500] [--kills 20] [--in-groups]`: deposits and withdrawals on the simulated networks
 * while wallet, blockchain, core ledger and Redis are killed; then every payment, balance and order is compared with
 * the chain. Ends with 1 and what is wrong.
 */
import { parseArgs } from 'node:util'
import { inGroups, runChaos } from './chains-run'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    movements: { type: 'string', default: '500' },
    kills: { type: 'string', default: '20' },
    'in-groups': { type: 'boolean', default: false },
  },
})
const started = performance.now()
const print = (text: string) =>
  console.log(`${((performance.now() - started) / 1000).toFixed(1).padStart(6)} s  ${text}`)
const seed = Number(values.seed)
print(`seed ${seed}`)
const { movements, kills } = values
const groups = values['in-groups'] ? inGroups : undefined
const report = await runChaos({ seed, movements: Number(movements), kills: Number(kills), lanes: 6, groups, print })
for (const problem of report.problems) print(problem)
const { deposits, withdrawals, refused } = report
print(
  `${deposits} deposits, ${withdrawals} withdrawals, ${refused} refused, ${report.kills} kills: ${report.problems.length} problems`,
)
process.exit(report.problems.length === 0 ? 0 : 1)
