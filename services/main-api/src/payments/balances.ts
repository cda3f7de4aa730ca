import type { PaymentStatus } from '@bursar/contracts/transaction-manager'
import { and, asc, type ChunkPlace, type Db, eq, gt, inArray, ne, param, prepared } from '@bursar/store'
import { fromUnits, toUnits } from './amounts'
import { inTurns } from './in-turns'
import type { CustodianBalance } from './payments.model'
import { bankPayments } from './payments.table'

/** Statuses of payments that may still take money out of the bank. */
const underWay = ['PENDING', 'IN_REVIEW', 'APPROVED', 'PROCESSING'] as const satisfies PaymentStatus[]

/**
 * The balances of a bank by currency, sorted by code. `total` is the incoming minus the outgoing amount of COMPLETED
 * payments; `frozen` is the outgoing amount of those under way; `available` is the rest. Payments between two accounts
 * at the bank do not count. A currency without payments is not listed. `db` is a snapshot: a payment counts once.
 */
export async function balancesOf(db: Db, custodianBankId: string, now: Date): Promise<CustodianBalance[]> {
  const sums = new Map<string, { total: bigint; frozen: bigint }>()
  const read = (place: ChunkPlace<string>) => movements(db).execute({ custodianBankId, ...place })
  for await (const rows of inTurns(read, '', ({ id }) => id)) {
    for (const { currency, status, direction, amount } of rows) {
      const sum = sums.get(currency) ?? { total: 0n, frozen: 0n }
      sums.set(currency, sum)
      const units = toUnits(amount)
      if (status === 'COMPLETED') sum.total += direction === 'in' ? units : -units
      else if (direction === 'out') sum.frozen += units
    }
  }
  const asOf = now.toISOString()
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { total, frozen }]) => ({
      currency,
      available: fromUnits(total - frozen),
      frozen: fromUnits(frozen),
      total: fromUnits(total),
      asOf,
    }))
}

const movements = prepared((db) =>
  db
    .select({
      id: bankPayments.paymentId,
      status: bankPayments.status,
      direction: bankPayments.direction,
      currency: bankPayments.currency,
      amount: bankPayments.amount,
    })
    .from(bankPayments)
    .where(
      and(
        eq(bankPayments.custodianBankId, param('custodianBankId')),
        gt(bankPayments.paymentId, param('after')),
        inArray(bankPayments.status, ['COMPLETED', ...underWay]),
        ne(bankPayments.direction, 'within'),
      ),
    )
    .orderBy(asc(bankPayments.paymentId))
    .limit(param('limit')),
)
