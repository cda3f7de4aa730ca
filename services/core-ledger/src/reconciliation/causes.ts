import { formatAmount } from '@bursar/money'
import { type Db, eq, isNull, prepared } from '@bursar/store'
import { assets } from '../assets/assets.table'
import { unmatchedDeposits } from '../deposits/unmatched-deposits.table'
import { chainTransfers } from '../movements/chain-transfers.table'
import { isUncovered } from '../movements/reversal-shortfall'
import { transactions } from '../movements/transactions.table'
import { movements } from '../portfolios/movements.table'
import { chainKey } from './owed'

/** Known causes of differences between a chain and the books, as sentences by chainKey. */
export async function knownCauses(db: Db): Promise<Map<string, string[]>> {
  const sums = new Map<string, { key: string; words: Words; count: number; amount: bigint; decimals: number }>()
  const add = (words: Words, { network, contractAddress, amount, decimals }: Part) => {
    const key = chainKey(network, contractAddress)
    const place = `${words.one} ${key}`
    const known = sums.get(place) ?? { key, words, count: 0, amount: 0n, decimals }
    sums.set(place, { ...known, count: known.count + 1, amount: known.amount + amount })
  }
  for (const { deposit } of await unmatched(db).execute()) {
    if (/^\d{1,78}$/.test(deposit.amount)) add(setAside, { ...deposit, amount: BigInt(deposit.amount) })
  }
  for (const { status, ...row } of await reversed(db).execute()) add(status === 'COMPLETED' ? takenBack : sentBack, row)
  for (const { kind, ...row } of await unbooked(db).execute()) add(unbookedOf[kind], row)
  const causes = new Map<string, string[]>()
  for (const { key, words, count, amount, decimals } of sums.values()) {
    const sum = formatAmount(amount, decimals)
    const sentence = count === 1 ? `1 ${words.one}, ${sum}` : `${count} ${words.many}, ${sum} together`
    causes.set(key, [...(causes.get(key) ?? []), sentence])
  }
  return causes
}

interface Part {
  network: string
  contractAddress: string | null
  amount: bigint
  decimals: number
}

interface Words {
  one: string
  many: string
}
const setAside: Words = { one: 'deposit is set aside', many: 'deposits are set aside' }
const takenBack: Words = {
  one: 'credited deposit was taken off the chain',
  many: 'credited deposits were taken off the chain',
}
const sentBack: Words = {
  one: 'returned deposit was taken off the chain',
  many: 'returned deposits were taken off the chain',
}
const unbookedOf: Record<(typeof movements.$inferSelect)['kind'], Words> = {
  in: { one: 'movement into a portfolio is not booked', many: 'movements into portfolios are not booked' },
  out: { one: 'movement out is not booked', many: 'movements out are not booked' },
  fee: { one: 'network fee is not booked', many: 'network fees are not booked' },
}

const unmatched = prepared((db) => db.select({ deposit: unmatchedDeposits.deposit }).from(unmatchedDeposits))
const reversed = prepared((db) =>
  db
    .select({
      network: assets.network,
      contractAddress: assets.contractAddress,
      decimals: assets.decimals,
      amount: transactions.amount,
      status: transactions.status,
    })
    .from(chainTransfers)
    .innerJoin(transactions, eq(transactions.id, chainTransfers.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(isUncovered),
)
const unbooked = prepared((db) =>
  db
    .select({
      kind: movements.kind,
      network: movements.network,
      contractAddress: movements.contractAddress,
      decimals: movements.decimals,
      amount: movements.amount,
    })
    .from(movements)
    .where(isNull(movements.bookedAt)),
)
