import type { Db } from '@bursar/store'
import { changeBy, kindsOf, unknownType } from '../overview/count-completed'
import { dayOf } from '../overview/days'
import { AuditDifference } from './audit-difference'
import { type EntryOfTransaction, holdingRows, totalsAfter, totalsCount } from './audit-reads'
import type { EntryKind } from './ledger-accounts'

/** The entries with which transactions are completed. */
const completing: readonly EntryKind[] = ['credit', 'settlement', 'delivery', 'return']

interface Total {
  count: number
  amount: bigint
}

/**
 * What the entries come to per day and in all, and its comparison with the rollups of the overview. A rollup that counts
 * an account whose type is not known here any more cannot be computed, and is not compared.
 */
export function rollupAudit(read: Db, follow: (upTo: number) => AsyncGenerator<number>) {
  const totals = new Map<string, Total>()
  const holdings = new Map<string, bigint>()
  /** Of these assets accounts are not known here. */
  const unknown = new Set<string>()

  function add(entry: EntryOfTransaction): void {
    const { kind, transaction, movement, movementType, ownType, receiverType, createdAt, assetId, amount } = entry
    if (kind === 'execution' && movement) {
      const direction = movement.kind === 'in' ? 'IN' : 'OUT'
      if (movementType === null) unknown.add(assetId)
      count({ accountType: movementType ?? unknownType, kind: direction }, movement.network)
    }
    if (!transaction || !completing.includes(kind)) return
    const { type, network } = transaction
    if (ownType === null || (type === 'TRANSFER' && receiverType === null)) unknown.add(assetId)
    const types = [ownType ?? unknownType, receiverType ?? unknownType] as const
    for (const counted of kindsOf(transaction, ...types)) count(counted, network)

    function count(of: ReturnType<typeof kindsOf>[number], network: string): void {
      const day = placeOf(dayOf(createdAt), of.accountType, assetId, network, of.kind)
      const total = totals.get(day) ?? { count: 0, amount: 0n }
      totals.set(day, { count: total.count + 1, amount: total.amount + amount })
      if (of.kind === 'TRANSFER') return
      const held = placeOf(of.accountType, assetId, network)
      holdings.set(held, (holdings.get(held) ?? 0n) + changeBy(of.kind, amount))
    }
  }

  /** Holds every rollup against the entries. Yields the number of rows read after each chunk. Throws AuditDifference. */
  async function* sweep(): AsyncGenerator<number> {
    const held = await holdingRows(read)
    yield* follow(held[0]?.head ?? 0)
    for (const { accountType, assetId, network, amount } of held) {
      const computed = holdings.get(placeOf(accountType, assetId, network))
      if (computed === amount || unknown.has(assetId)) continue
      throw new AuditDifference(
        `Holdings of ${accountType} accounts in asset ${assetId} on ${network}: stored ${amount}, the entries come to ${computed ?? 0n}`,
      )
    }
    if (held.length !== holdings.size && unknown.size === 0) throw miscounted('holdings', held.length, holdings.size)
    yield held.length
    for (let day = ''; ; ) {
      const rows = await totalsAfter(read, day)
      yield* follow(rows[0]?.head ?? 0)
      for (const row of rows) compare(row)
      yield rows.length
      const [first] = rows
      if (!first) break
      day = first.day
    }
    const { rows, head } = await totalsCount(read)
    yield* follow(head)
    if (rows !== totals.size && unknown.size === 0) throw miscounted('daily totals', rows, totals.size)
  }

  type Row = Awaited<ReturnType<typeof totalsAfter>>[number]
  function compare({ day, accountType, assetId, network, kind, count: stored, amount }: Row): void {
    const computed = totals.get(placeOf(day, accountType, assetId, network, kind)) ?? { count: 0, amount: 0n }
    if ((computed.count === stored && computed.amount === amount) || unknown.has(assetId)) return
    throw new AuditDifference(
      `Total of ${day}, ${kind} of ${accountType} accounts in asset ${assetId} on ${network}: stored ${stored} of ${amount}, ` +
        `the entries come to ${computed.count} of ${computed.amount}`,
    )
  }

  return { add, sweep }
}

/** JSON keeps the words apart, whatever is in them. */
const placeOf = (...words: string[]): string => JSON.stringify(words)

const miscounted = (what: string, stored: number, computed: number) =>
  new AuditDifference(`${stored} ${what} are stored, the entries make ${computed}`)
