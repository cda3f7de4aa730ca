import type { Db } from '@bursar/store'
import { type LedgerAccount, partsOf } from '../ledger/ledger-accounts'
import type { Holding } from '../ledger/post'
import { isOutside } from '../reporting/sum-changes'
import { chunkRows } from '../seals/read-journal'
import { AuditDifference } from './audit-difference'
import { balanceCount, balancesAfter, type EntryOfTransaction, suspenseRows } from './audit-reads'
import { compactSums } from './compact-sums'

/** Runs a comparison on a state of the data of which exactly all entries were added up. */
export type Compared = <T>(compare: (db: Db) => Promise<T>) => Promise<T>

/**
 * Adds up the entries per account and asset, and compares the sums with the stored balances. Exact while the ledger
 * goes on: each chunk of balances is read in the same state as the entries.
 */
export function balanceAudit(compared: Compared) {
  const holdings = compactSums()
  /** The balances of suspense, and of deposits being returned. */
  const suspense = new Map<string, bigint>()

  function add({ debit, credit, assetId, amount, seq }: EntryOfTransaction): void {
    change(debit, assetId, -amount, seq)
    change(credit, assetId, amount, seq)
  }

  function change(account: LedgerAccount, assetId: string, by: bigint, seq: number): void {
    const { part, of } = partsOf(account)
    if (part !== 'available' && part !== 'frozen') {
      if (isOutside(account)) return
      const amount = (suspense.get(`${account} ${assetId}`) ?? 0n) + by
      if (amount < 0n) throw negative(account, seq)
      suspense.set(`${account} ${assetId}`, amount)
      return
    }
    const row = holdings.rowOf(`${of} ${assetId}`)
    const amount = holdings.get(row, partOf[part]) + by
    if (amount < 0n) throw negative(account, seq)
    holdings.set(row, partOf[part], amount)
  }

  /**
   * Compares every stored balance with the entries, suspense first. Yields the number of rows read after each chunk.
   * Throws AuditDifference at the first balance that differs, is missing, or has no entries.
   */
  async function* sweep(): AsyncGenerator<number> {
    yield await compared(async (db) => {
      const stored = await suspenseRows(db).execute()
      for (const { name, assetId, amount } of stored) compareSuspense(name, assetId, amount)
      if (stored.length !== suspense.size) throw count('accounts of suspense', stored.length, suspense.size)
      return stored.length
    })
    for (let after = { accountId: '', assetId: '' }; ; ) {
      const rows = await compared(async (db) => {
        const chunk = await balancesAfter(db).execute(after)
        for (const row of chunk) compare(row)
        return chunk
      })
      yield rows.length
      const last = rows.at(-1)
      if (!last || rows.length < chunkRows) break
      after = last
    }
    await compared(async (db) => {
      const rows = (await balanceCount(db).execute())[0]?.rows ?? 0
      if (rows !== holdings.size()) throw count('account balances', rows, holdings.size())
    })
  }

  function compare({ accountId, assetId, available, frozen }: Holding & { accountId: string; assetId: string }): void {
    const row = holdings.find(`${accountId} ${assetId}`)
    const computed = row < 0 ? none : { available: holdings.get(row, 0), frozen: holdings.get(row, 1) }
    if (row >= 0 && computed.available === available && computed.frozen === frozen) return
    throw new AuditDifference(
      `Balance of account ${accountId} in asset ${assetId}: stored ${available} available and ${frozen} frozen, ` +
        `the entries come to ${computed.available} and ${computed.frozen}`,
    )
  }

  function compareSuspense(name: string, assetId: string, amount: bigint): void {
    const computed = suspense.get(`${name} ${assetId}`)
    if (computed === amount) return
    throw new AuditDifference(`${name} in asset ${assetId}: stored ${amount}, the entries come to ${computed ?? 0n}`)
  }

  return { add, sweep, size: holdings.size }
}

const partOf = { available: 0, frozen: 1 } as const
const none: Holding = { available: 0n, frozen: 0n }

const negative = (account: string, seq: number) => new AuditDifference(`Entry ${seq} makes ${account} negative`)

const count = (what: string, stored: number, computed: number) =>
  new AuditDifference(`${stored} ${what} are stored, the entries make ${computed}`)
