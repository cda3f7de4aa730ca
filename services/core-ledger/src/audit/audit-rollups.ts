import type { Db } from '@bursar/store'
import { unfolded } from '../reporting/fold-sums'
import { addUp, changesOf, countedKinds, isOfUnknown, noSums, placeOf } from '../reporting/sum-changes'
import type { DailyTotal } from '../reporting/sums.table'
import type { Compared } from './audit-balances'
import { AuditDifference } from './audit-difference'
import { type EntryOfTransaction, holdingRows, outsideRows, totalsAfter } from './audit-reads'

/** Rows of totals that one comparison reads while it holds a snapshot. */
const rowsTogether = 2000

/**
 * Adds up the entries per day, per holding and outside the books, and compares the sums with the stored rollups and the
 * entries not folded yet. A sum over an account whose type is no longer known here cannot be computed, and is not
 * compared.
 */
export function rollupAudit(compared: Compared) {
  const sums = noSums()
  /** Assets with unknown accounts. */
  const unknown = new Set<string>()

  function add(entry: EntryOfTransaction): void {
    if (!countedKinds.includes(entry.kind)) return
    const changes = changesOf([entry])
    if (changes.totals.some(isOfUnknown)) unknown.add(entry.assetId)
    addUp(sums, changes)
  }

  /** Compares every sum with the entries. Yields the number of rows read after each chunk. Throws AuditDifference. */
  async function* sweep(): AsyncGenerator<number> {
    yield await compared(compareHeld)
    for (let after: string | null = ''; after !== null; ) {
      const from: string = after
      const { rows, last } = await compared((db) => compareDays(db, from))
      yield rows
      after = last
    }
  }

  /** Holdings, and what is outside; few rows. */
  async function compareHeld(db: Db): Promise<number> {
    const stored = noSums()
    addUp(stored, { totals: [], holdings: await holdingRows(db).execute(), outside: await outsideRows(db).execute() })
    addUp(stored, { ...(await unfolded(db)), totals: [] })
    for (const [place, { name, assetId, amount }] of stored.outside) {
      const computed = sums.outside.get(place)?.amount
      if (computed !== amount) throw differs(`${name} in asset ${assetId}`, amount, computed)
    }
    if (stored.outside.size !== sums.outside.size) {
      throw miscounted('accounts outside', stored.outside.size, sums.outside.size)
    }
    for (const [place, { accountType, assetId, network, amount }] of stored.holdings) {
      const computed = sums.holdings.get(place)?.amount
      if (computed === amount || unknown.has(assetId)) continue
      throw differs(`Holdings of ${accountType} accounts in asset ${assetId} on ${network}`, amount, computed)
    }
    if (stored.holdings.size !== sums.holdings.size && unknown.size === 0) {
      throw miscounted('holdings', stored.holdings.size, sums.holdings.size)
    }
    return stored.outside.size + stored.holdings.size
  }

  /** Compares the next days. Gives the last one compared; null after all of them. */
  async function compareDays(db: Db, after: string): Promise<{ rows: number; last: string | null }> {
    const stored = noSums()
    let last: string | null = after
    while (last !== null && stored.totals.size < rowsTogether) {
      const totals = await totalsAfter(db).execute({ day: last })
      addUp(stored, { totals, holdings: [], outside: [] })
      last = totals[0]?.day ?? null
    }
    const isAmong = ({ day }: DailyTotal) => day > after && (last === null || day <= last)
    const { totals } = await unfolded(db)
    addUp(stored, { totals: totals.filter(isAmong), holdings: [], outside: [] })
    for (const total of stored.totals.values()) compare(total)
    const computed = sums.totals.values().filter(isAmong).toArray().length
    if (stored.totals.size !== computed && unknown.size === 0) {
      throw miscounted('daily totals', stored.totals.size, computed)
    }
    return { rows: stored.totals.size, last }
  }

  function compare(total: DailyTotal): void {
    const { day, accountType, assetId, network, kind, count: stored, amount } = total
    const computed = sums.totals.get(placeOf.totals(total)) ?? { count: 0, amount: 0n }
    if ((computed.count === stored && computed.amount === amount) || unknown.has(assetId)) return
    throw new AuditDifference(
      `Total of ${day}, ${kind} of ${accountType} accounts in asset ${assetId} on ${network}: stored ${stored} of ${amount}, ` +
        `the entries come to ${computed.count} of ${computed.amount}`,
    )
  }

  return { add, sweep }
}

const differs = (what: string, stored: bigint, computed = 0n) =>
  new AuditDifference(`${what}: stored ${stored}, the entries come to ${computed}`)

const miscounted = (what: string, stored: number, computed: number) =>
  new AuditDifference(`${stored} ${what} are stored, the entries make ${computed}`)
