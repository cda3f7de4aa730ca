import type { Db } from '@bursar/store'
import { addUp, type Changes, changesOf, countedKinds, isOfUnknown, noSums, placeOf } from '../reporting/changes'
import { foldedUntil } from '../reporting/fold'
import { AuditDifference } from './audit-difference'
import { type EntryOfTransaction, holdingRows, outsideRows, totalsAfter, totalsCount } from './audit-reads'

/**
 * What the entries come to per day, in all, and outside the books, and its comparison with the sums that follow the
 * journal: each as of the entry up to which they go. A sum that counts an account whose type is not known here any more
 * cannot be computed, and is not compared. `follow` reads the journal on to exactly an entry.
 */
export function rollupAudit(read: Db, follow: (upTo: number) => AsyncGenerator<number>) {
  const sums = noSums()
  /** The last entry that is included here. */
  let counted = 0
  /** The changes by later entries. */
  let waiting: { seq: number; changes: Changes }[] = []
  /** Assets with unknown accounts. */
  const unknown = new Set<string>()

  function add(entry: EntryOfTransaction): void {
    if (!countedKinds.includes(entry.kind)) return
    if (isOfUnknown(entry)) unknown.add(entry.assetId)
    const changes = changesOf([entry])
    if (entry.seq <= counted) addUp(sums, changes)
    else waiting.push({ seq: entry.seq, changes })
  }

  /** Continues to the entry up to which the stored sums go. */
  async function* countOn(folded: number): AsyncGenerator<number> {
    counted = Math.max(counted, folded)
    yield* follow(counted)
    const due = waiting.filter(({ seq }) => seq <= counted)
    waiting = waiting.filter(({ seq }) => seq > counted)
    for (const { changes } of due) addUp(sums, changes)
  }

  /** Compares every sum with the entries. Yields the number of rows read after each chunk. Throws AuditDifference. */
  async function* sweep(): AsyncGenerator<number> {
    const outside = await outsideRows(read)
    yield* countOn(outside[0]?.folded ?? 0)
    for (const stored of outside) {
      const computed = sums.outside.get(placeOf.outside(stored))?.amount
      if (computed !== stored.amount)
        throw differs(`${stored.name} in asset ${stored.assetId}`, stored.amount, computed)
    }
    if (outside.length !== sums.outside.size) throw miscounted('accounts outside', outside.length, sums.outside.size)
    const held = await holdingRows(read)
    yield* countOn(held[0]?.folded ?? 0)
    for (const stored of held) {
      const { accountType, assetId, network, amount } = stored
      const computed = sums.holdings.get(placeOf.holdings(stored))?.amount
      if (computed === amount || unknown.has(assetId)) continue
      throw differs(`Holdings of ${accountType} accounts in asset ${assetId} on ${network}`, amount, computed)
    }
    if (held.length !== sums.holdings.size && unknown.size === 0) {
      throw miscounted('holdings', held.length, sums.holdings.size)
    }
    yield outside.length + held.length
    for (let day = ''; ; ) {
      const rows = await totalsAfter(read, day)
      yield* countOn(rows[0]?.folded ?? 0)
      for (const row of rows) compare(row)
      yield rows.length
      const [first] = rows
      if (!first) break
      day = first.day
    }
    const { rows, folded } = await totalsCount(read)
    yield* countOn(folded)
    if (rows !== sums.totals.size && unknown.size === 0) throw miscounted('daily totals', rows, sums.totals.size)
  }

  type Row = Awaited<ReturnType<typeof totalsAfter>>[number]
  function compare(row: Row): void {
    const { day, accountType, assetId, network, kind, count: stored, amount } = row
    const computed = sums.totals.get(placeOf.totals(row)) ?? { count: 0, amount: 0n }
    if ((computed.count === stored && computed.amount === amount) || unknown.has(assetId)) return
    throw new AuditDifference(
      `Total of ${day}, ${kind} of ${accountType} accounts in asset ${assetId} on ${network}: stored ${stored} of ${amount}, ` +
        `the entries come to ${computed.count} of ${computed.amount}`,
    )
  }

  return {
    add,
    sweep,
    /** To be called before entries are read: entries that the stored sums include need not be kept here. */
    async begin(): Promise<void> {
      counted = Math.max(counted, await foldedUntil(read))
    },
  }
}

const differs = (what: string, stored: bigint, computed = 0n) =>
  new AuditDifference(`${what}: stored ${stored}, the entries come to ${computed}`)

const miscounted = (what: string, stored: number, computed: number) =>
  new AuditDifference(`${stored} ${what} are stored, the entries make ${computed}`)
