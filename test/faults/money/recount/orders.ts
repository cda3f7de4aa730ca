// What institutions have ordered at the blockchain service: each order is one withdrawal of the ledger, with its contents.
import { amountUnits } from '../amounts'
import type { Finding } from './finding'
import type { ChainOrder, Knowledge, LedgerTransaction, State } from './state'

export function checkOrders({ chainOrders, transactions }: State, { orders, excused, named }: Knowledge): Finding[] {
  const byId = new Map(transactions.map((each) => [each.id, each]))
  const kept = new Set(chainOrders.map(({ id }) => id))
  const lost = [...orders].filter((id) => !kept.has(id) && !excused.has(id))
  const shared = Map.groupBy(chainOrders, ({ ledgerId }) => ledgerId)
  return [
    ...lost.map((id): Finding => ({ kind: 'lost', id, what: 'an institution’s order was answered and is not there' })),
    ...[...shared]
      .filter(([ledgerId, all]) => ledgerId !== null && all.length > 1)
      .map(([id, all]): Finding => ({ kind: 'lost', id: id ?? '', what: `${all.length} orders are one withdrawal` })),
    ...chainOrders.flatMap((order): Finding[] => {
      const { id, ledgerId, status, reason, isOpen } = order
      const withdrawal = byId.get(ledgerId ?? '')
      if (ledgerId !== null && !withdrawal)
        return excused.has(ledgerId)
          ? []
          : [{ kind: 'lost', id, what: `the order’s withdrawal ${ledgerId} is not there` }]
      if (withdrawal)
        return isSame(order, withdrawal) ? [] : [{ kind: 'wrong', id, what: `it is not as withdrawal ${ledgerId}` }]
      return isOpen && !named.has(id)
        ? [{ kind: 'stuck', id, what: `an institution’s order is ${status}: ${reason}` }]
        : []
    }),
  ]
}

const isSame = ({ accountId, amount, destination }: ChainOrder, withdrawal: LedgerTransaction): boolean =>
  accountId === withdrawal.accountId &&
  amountUnits(amount, withdrawal.decimals) === withdrawal.amount &&
  destination.toLowerCase() === withdrawal.destinationAddress?.toLowerCase()
