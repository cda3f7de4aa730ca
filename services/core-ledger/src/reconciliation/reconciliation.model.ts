import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { formatAmount } from '@bursar/money'
import type { Shortfall } from '../movements/shortfalls'
import { topUpOf } from './hold-by-chains'
import { type HoldingsLine, isShort, type PortfolioLine } from './reconcile-holdings'
import type { LastRound } from './reconciliation'

const mostOrders = 500

const Holding = t.Object(
  {
    network: t.String(),
    assetCode: t.String(),
    contractAddress: nullable(t.String()),
    owed: about(
      'What must be on the network at least, but for what portfolios hold: customers + suspense − underWay',
      t.String(),
    ),
    customers: about('What customers’ accounts hold, but for portfolios', t.String()),
    suspense: about('Deposits that are credited to no account', t.String()),
    underWay: about('Withdrawals that were ordered and may have left already', t.String()),
    feesPaid: about('Network fees that the platform has paid', t.String()),
    portfolios: about(
      'What portfolios have by the books, and at their own addresses',
      t.Object(
        {
          owed: about('What their addresses must hold by the books', t.String()),
          held: about('What they hold', t.String()),
        },
        { title: 'ReconciledPortfolios' },
      ),
    ),
    topUp: about('How much must be paid in for nothing to be missing', t.String()),
    causes: about('What is known of why they differ', t.Array(t.String())),
    held: about(
      'What all other addresses of the deployment hold; null where the network is not known to the blockchain service',
      nullable(t.String()),
    ),
    difference: about(
      'What is held less what is owed, the platform’s own: below 0 where it is too little',
      nullable(t.String()),
    ),
    isSimulated: about('Whether the network is one of the deployment’s own', t.Boolean()),
    isShort: about('Whether less is held than is owed', t.Boolean()),
    isShortTwice: about(
      'Whether it was so in two rounds, on a real network: then it is not a momentary difference',
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
    held: about('What they hold; null where the network is not known to the blockchain service', nullable(t.String())),
    isShortTwice: about('Whether less was held in two rounds: its withdrawals wait', t.Boolean()),
  },
  { title: 'ReconciledPortfolio' },
)

const Open = t.Object(
  {
    accountId: about('Null: of all accounts', nullable(uuid())),
    assetId: uuid(),
    reason: t.String(),
    since: timestamp(),
  },
  { title: 'Shortfall' },
)

/** What the last comparison of the ledger with wallet service and chains found. */
export const ReconciliationReport = t.Object(
  {
    at: about('When it was made; null before the first since the start of the service', nullable(timestamp())),
    everySeconds: about('The pause between two comparisons', t.Number()),
    failure: about(
      'Why the last one could not ask everybody; null when it could',
      nullable(
        t.Object(
          { at: about('When it was tried', timestamp()), message: about('Whom it could not ask', t.String()) },
          { title: 'ReconciliationFailure' },
        ),
      ),
    ),
    differing: about('How many withdrawals the wallet service has otherwise', t.Integer()),
    orders: about(
      'These withdrawals; the first 500',
      t.Array(t.Object({ id: uuid(), what: about('What each side says', t.String()) }, { title: 'OrderDifference' })),
    ),
    missing: about('How many completed withdrawals the wallet service has not confirmed', t.Integer()),
    holdings: about('What is owed and held of each asset that is owed or held', t.Array(Holding)),
    portfolios: about('Portfolios whose addresses hold less than the ledger has', t.Array(Portfolio)),
    shortfalls: about('What is open now: these withdrawals wait', t.Array(Open)),
  },
  { title: 'ReconciliationReport' },
)
export type ReconciliationReport = Static<typeof ReconciliationReport>

export const toReport = (
  { at, everyMs, failure, orders, missing, holdings, portfolios, isShortTwice }: LastRound,
  shortfalls: readonly Shortfall[],
) =>
  ({
    at: at?.toISOString() ?? null,
    everySeconds: everyMs / 1000,
    failure: failure && { at: failure.at.toISOString(), message: failure.message },
    differing: orders.length,
    orders: orders.slice(0, mostOrders),
    missing,
    holdings: holdings.map((line) => ({ ...toHolding(line), isShortTwice: isShortTwice(line) && !line.isSimulated })),
    portfolios: portfolios.filter(isShort).map((line) => ({ ...toPortfolio(line), isShortTwice: isShortTwice(line) })),
    shortfalls: shortfalls.map(({ accountId, assetId, reason, since }) => ({
      accountId,
      assetId,
      reason,
      since: since.toISOString(),
    })),
  }) satisfies ReconciliationReport

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
