/**
 * `bun run reconcile`: compares the core ledger with what the wallet service has carried out, and with what is on the
 * chains. Only reads; the wallet and the blockchain service must run.
 */
import { isCallError, toAppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { openForReading } from '@bursar/store'
import { listShortfalls } from '../services/core-ledger/src/movements/shortfalls'
import { topUpOf } from '../services/core-ledger/src/reconciliation/hold-by-chains'
import {
  type Holdings,
  type HoldingsLine,
  isShort,
  type PortfolioLine,
  reconcileHoldings,
} from '../services/core-ledger/src/reconciliation/reconcile-holdings'
import { missingOrders, reconcileOrders, type Sides } from '../services/core-ledger/src/reconciliation/reconcile-orders'
import { clientOf } from './stack/client'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf, placeOf } from './stack/place'

const help = `Usage: bun run reconcile [--after-restore] [--data-dir <folder>]

Compares the wallet's orders with the ledger's withdrawals, and what the deployment's addresses hold of every asset with
what the ledger owes; portfolios one by one. Prints every difference, with its cause if known. Only reads. Exit code: 0 when
all agrees, 1 when something differs or a service does not answer.

A chain may hold more than the ledger owes: the platform's own coins, deposits on their way, deposits set aside. If it holds
less, the output says how much to top up. Withdrawals that may have left already count as paid.

  --after-restore      compares orders only: names payments that a restored ledger does not know
  --data-dir <folder>  where core.sqlite is (DATA_DIR, or data)
  --help               this text
`

const tries = 3
const pauseMs = 5000

/** Prints the orders that differ; answers how many. */
async function compareOrders(sides: Sides): Promise<number> {
  const report = await reconcileOrders(sides)
  const differing = new Map(report.differences.map((difference) => [difference.id, difference]))
  if (report.missing) for await (const difference of missingOrders(sides)) differing.set(difference.id, difference)
  for (const { id, what } of differing.values()) console.log(`withdrawal ${id}: ${what}`)
  console.log(`orders     ${report.orders} orders of the wallet service, ${differing.size} differ`)
  return differing.size
}

/** Prints what is on the chains beside what is owed; answers of how many assets and portfolios there is too little. */
async function compareHoldings(sides: Sides): Promise<number> {
  const shortOf = ({ lines, portfolios }: Holdings) => [...lines.filter(isShort), ...portfolios.filter(isShort)]
  let found = await reconcileHoldings(sides)
  for (let i = 1; i < tries && shortOf(found).length > 0; i++) {
    await Bun.sleep(pauseMs)
    found = await reconcileHoldings(sides)
  }
  for (const line of found.lines) console.log(wordsOf(line))
  for (const line of found.portfolios.filter(isShort)) console.log(wordsOfPortfolio(line))
  for (const { accountId, reason } of await listShortfalls(sides.ledger.read)) {
    console.log(`withdrawals of ${accountId ?? 'all accounts'} wait: ${reason}`)
  }
  const short = shortOf(found).length
  console.log(`holdings   ${found.lines.length} assets and ${found.portfolios.length} portfolios, ${short} short`)
  return short
}

function wordsOf(line: HoldingsLine): string {
  const { network, code, amount, held, decimals, isSimulated, causes } = line
  const text = (value: bigint) => formatAmount(value, decimals)
  const owed = `${code} on ${network}: ${text(amount)} owed`
  if (held === null) return `${owed}, not compared: the blockchain service does not know the network`
  const chain = isSimulated ? ' on the simulated chain' : ''
  // Too many are the platform's own.
  const verdict = isShort(line)
    ? `${text(amount - held)} too little: top up ${topUpOf(line)}`
    : `${text(held - amount)} too many`
  const words = [
    `${owed}, ${text(held)} held${chain}, ${verdict}`,
    `owed to customers ${text(line.customers)}, in suspense ${text(line.suspense)}, under way ${text(line.underWay)}`,
    line.feesPaid > 0n && `${text(line.feesPaid)} paid in network fees`,
    line.portfolios.held + line.portfolios.owed > 0n &&
      `portfolios apart: ${text(line.portfolios.owed)} owed, ${text(line.portfolios.held)} held`,
    ...causes,
  ]
  return words.filter((word) => word !== false).join('; ')
}

function wordsOfPortfolio({ accountId, network, code, amount, held, decimals }: PortfolioLine): string {
  const [owed, found] = [formatAmount(amount, decimals), formatAmount(held ?? 0n, decimals)]
  return `portfolio ${accountId}: its addresses hold ${found} ${code} on ${network}, the ledger has ${owed}`
}

async function compare(dataDir: string, isAfterRestore: boolean): Promise<void> {
  const database = await openForReading(placeOf('core-ledger', dataDir))
  const sides = { ledger: database, client: clientOf('core-ledger', dataDir) }
  const differing = await compareOrders(sides)
  const short = isAfterRestore ? 0 : await compareHoldings(sides)
  await database.close()
  process.exitCode = differing + short === 0 ? 0 : 1
}

const options = { 'after-restore': { type: 'boolean', default: false }, ...dataDirOption } as const

await runCommand({ name: 'reconcile', help, options }, (values) =>
  compare(dataDirOf(values['data-dir']), values['after-restore']).catch((error: unknown) => {
    if (!isCallError(error)) throw error
    const isAway = error.problem === 'unreachable' || error.problem === 'timeout'
    throw isAway ? new Error(`${error.message}: start it, then try again`) : toAppError(error)
  }),
)
