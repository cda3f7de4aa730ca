import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { formatAmount } from '@bursar/money'
import type { Shortfall } from '../movements/shortfalls'
import { nameOf, topUpOf } from './hold-by-chains'
import type { LastRound } from './last-round'
import { type HoldingsLine, isShort, type PortfolioLine } from './reconcile-holdings'

const mostOrders = 500

const Holding = t.Object(
  {
    network: t.String(),
    assetCode: t.String(),
    contractAddress: nullable(t.String()),
    owed: about(
      'The least that must be on the network, without portfolios: customers + suspense − underWay',
      t.String(),
    ),
    customers: about('The balances of all accounts except portfolios', t.String()),
    suspense: about('Deposits that are not credited, and that their chain still has', t.String()),
    underWay: about('Withdrawals that were ordered and may have been paid already', t.String()),
    feesPaid: about('Network fees paid by the platform', t.String()),
    portfolios: about(
      'The portfolios’ part: by the books, and at their own addresses',
      t.Object(
        {
          owed: about('What their addresses must hold by the books', t.String()),
          held: about('What they hold', t.String()),
        },
        { title: 'ReconciledPortfolios' },
      ),
    ),
    topUp: about('The amount that must be paid in to cover the shortfall', t.String()),
    causes: about('Known causes of the difference', t.Array(t.String())),
    held: about(
      'What all other addresses of the deployment hold; null if the blockchain service does not know the network',
      nullable(t.String()),
    ),
    difference: about('held − owed, which belongs to the platform; below 0 if money is missing', nullable(t.String())),
    isSimulated: about('Whether the network is simulated', t.Boolean()),
    isShort: about('Whether less is held than is owed', t.Boolean()),
    isShortTwice: about(
      'Whether it was short in two rounds a usual pause apart, on a real network: not a momentary difference',
      t.Boolean(),
    ),
  },
  { title: 'ReconciledHolding' },
)

const Portfolio = t.Object(
  {
    accountId: uuid(),
    network: t.String(),
    assetCode: t.String(),
    contractAddress: nullable(t.String()),
    owed: about('What its addresses must hold', t.String()),
    held: about('What they hold; null if the blockchain service does not know the network', nullable(t.String())),
    isShortTwice: about('Whether less was held in two rounds a usual pause apart: its withdrawals wait', t.Boolean()),
  },
  { title: 'ReconciledPortfolio' },
)

const Open = t.Object(
  {
    accountId: about('Null if it concerns all accounts', nullable(uuid())),
    assetId: uuid(),
    reason: t.String(),
    depositId: about(
      'The first deposit that was credited or returned, and that its chain has taken back; null for another cause',
      nullable(uuid()),
    ),
    since: timestamp(),
  },
  { title: 'Shortfall' },
)

/** The result of the last comparison of the ledger with the wallet service and the chains. */
export const ReconciliationReport = t.Object(
  {
    at: about('The time of the comparison; null before the first one', nullable(timestamp())),
    everySeconds: about('The pause between two comparisons', t.Number()),
    failure: about(
      'Why the last comparison was incomplete; null if it was complete',
      nullable(
        t.Object(
          {
            at: about('The time of the attempt', timestamp()),
            message: about('The service that was unavailable', t.String()),
          },
          { title: 'ReconciliationFailure' },
        ),
      ),
    ),
    differing: about('The number of withdrawals that differ at the wallet service', t.Integer()),
    orders: about(
      'These withdrawals; the first 500',
      t.Array(
        t.Object({ id: uuid(), what: about('The state on each side', t.String()) }, { title: 'OrderDifference' }),
      ),
    ),
    missing: about('The number of completed withdrawals that the wallet service has not confirmed', t.Integer()),
    holdings: about('What is owed and held, per asset', t.Array(Holding)),
    portfolios: about('Portfolios whose addresses hold less than their balances', t.Array(Portfolio)),
    shortfalls: about('The open shortfalls: their withdrawals wait', t.Array(Open)),
  },
  { title: 'ReconciliationReport' },
)
type ReconciliationReport = Static<typeof ReconciliationReport>

export interface OpenShortfall extends Shortfall {
  depositId: string | null
}

export function toReport(
  { at, failure, orders, missing, holdings, portfolios, shortTwice }: LastRound,
  everyMs: number,
  shortfalls: readonly OpenShortfall[],
) {
  const isShortTwice = (line: HoldingsLine | PortfolioLine) => shortTwice.includes(nameOf(line))
  return {
    at,
    everySeconds: everyMs / 1000,
    failure,
    differing: orders.length,
    orders: orders.slice(0, mostOrders),
    missing,
    holdings: holdings.map((line) => ({ ...toHolding(line), isShortTwice: isShortTwice(line) && !line.isSimulated })),
    portfolios: portfolios.map((line) => ({ ...toPortfolio(line), isShortTwice: isShortTwice(line) })),
    shortfalls: shortfalls.map(({ accountId, assetId, reason, depositId, since }) => ({
      accountId,
      assetId,
      reason,
      depositId,
      since: since.toISOString(),
    })),
  } satisfies ReconciliationReport
}

const toPortfolio = ({ accountId, network, code, contractAddress, decimals, amount, held }: PortfolioLine) => ({
  accountId,
  network,
  assetCode: code,
  contractAddress,
  owed: formatAmount(amount, decimals),
  held: held === null ? null : formatAmount(held, decimals),
})

const toHolding = (line: HoldingsLine) => {
  const { network, contractAddress, code, decimals, amount, held, portfolios, causes, isSimulated } = line
  const text = (value: bigint) => formatAmount(value, decimals)
  return {
    network,
    assetCode: code,
    contractAddress,
    owed: text(amount),
    customers: text(line.customers),
    suspense: text(line.suspense),
    underWay: text(line.underWay),
    feesPaid: text(line.feesPaid),
    portfolios: { owed: text(portfolios.owed), held: text(portfolios.held) },
    topUp: topUpOf(line),
    causes,
    held: held === null ? null : text(held),
    difference: held === null ? null : text(held - amount),
    isSimulated,
    isShort: isShort(line),
  }
}
