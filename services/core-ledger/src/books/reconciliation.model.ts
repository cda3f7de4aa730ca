import { about, nullable, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { formatAmount } from '@bursar/money'
import { type HoldingsLine, isShort } from './reconcile-holdings'
import type { LastRound } from './reconciliation'

const mostOrders = 500

const Holding = t.Object(
  {
    network: t.String(),
    assetCode: t.String(),
    contractAddress: nullable(t.String()),
    owed: about('What must be on the network at least', t.String()),
    held: about(
      'What all addresses of the deployment hold; null where the network is not known to the blockchain service',
      nullable(t.String()),
    ),
    difference: about('What is held less what is owed: below 0 where it is too little', nullable(t.String())),
    isSimulated: about('Whether the network is one of the deployment’s own', t.Boolean()),
    isShort: about('Whether less is held than is owed', t.Boolean()),
    isShortTwice: about(
      'Whether that was so in two rounds, on a real network: then it is no matter of a moment',
      t.Boolean(),
    ),
  },
  { title: 'ReconciledHolding' },
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
    holdings: about('What is owed and held of each asset', t.Array(Holding)),
  },
  { title: 'ReconciliationReport' },
)
export type ReconciliationReport = Static<typeof ReconciliationReport>

export const toReport = ({ at, everyMs, failure, orders, missing, holdings, isShortTwice }: LastRound) =>
  ({
    at: at?.toISOString() ?? null,
    everySeconds: everyMs / 1000,
    failure: failure && { at: failure.at.toISOString(), message: failure.message },
    differing: orders.length,
    orders: orders.slice(0, mostOrders),
    missing,
    holdings: holdings.map((line) => ({ ...toHolding(line), isShortTwice: isShortTwice(line) })),
  }) satisfies ReconciliationReport

const toHolding = (line: HoldingsLine) => {
  const { network, contractAddress, code, decimals, amount, held, isSimulated } = line
  return {
    network,
    assetCode: code,
    contractAddress,
    owed: formatAmount(amount, decimals),
    held: held === null ? null : formatAmount(held, decimals),
    difference: held === null ? null : formatAmount(held - amount, decimals),
    isSimulated,
    isShort: isShort(line),
  }
}
