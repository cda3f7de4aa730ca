import type { Db } from '@bursar/store'
import { AuditDifference } from './audit-difference'
import { balanceChunk, balanceCount, systemRows } from './audit-reads'
import { sidesOf } from './ledger-accounts'
import type { Holding } from './post'
import { chunkRows, type EntryOfTransaction, entriesWithTransactions, journalHead } from './read-journal'

/**
 * Recomputes every balance from the entries. What it has computed stays, so that later sweeps read new entries only.
 * Each comparison is exact though the ledger goes on: a chunk of balances is read in one statement with the journal's
 * head, and held against the entries up to that head.
 */
export function balanceAudit(read: Db) {
  const holdings = new Map<string, Holding>()
  const systems = new Map<string, bigint>()
  let seq = 0

  /** Reads on to exactly this entry. Yields the number of entries read after each chunk. */
  async function* follow(upTo: number): AsyncGenerator<number> {
    while (seq < upTo) {
      const entries = await entriesWithTransactions(read, seq, upTo)
      for (const entry of entries) {
        checkEntry(entry)
        change(entry.debit, entry.assetId, -entry.amount, entry.seq)
        change(entry.credit, entry.assetId, entry.amount, entry.seq)
      }
      seq = entries.at(-1)?.seq ?? upTo
      yield entries.length
    }
  }

  function change(account: string, assetId: string, by: bigint, entry: number): void {
    const part = account.slice(0, account.indexOf(':'))
    if (part !== 'available' && part !== 'frozen') {
      const key = `${account} ${assetId}`
      const amount = (systems.get(key) ?? 0n) + by
      if (part === 'suspense' && amount < 0n) throw negative(account, entry)
      systems.set(key, amount)
      return
    }
    const key = `${account.slice(part.length + 1)} ${assetId}`
    const holding = holdings.get(key) ?? { available: 0n, frozen: 0n }
    holding[part] += by
    if (holding[part] < 0n) throw negative(account, entry)
    holdings.set(key, holding)
  }

  /**
   * Holds every stored balance against the entries, the ledger's own accounts first. Yields the number of rows read
   * after each chunk. Throws AuditDifference at the first that differs, is missing or is too many.
   */
  async function* sweep(): AsyncGenerator<number> {
    yield* follow(await journalHead(read))
    const system = await systemRows(read)
    yield* follow(system[0]?.head ?? 0)
    for (const { name, assetId, amount } of system) compareSystem(name, assetId, amount)
    if (system.length !== systems.size) throw count('ledger accounts', system.length, systems.size)
    yield system.length
    for (let after = { accountId: '', assetId: '' }; ; ) {
      const rows = await balanceChunk(read, after)
      yield* follow(rows[0]?.head ?? 0)
      for (const row of rows) compare(row)
      yield rows.length
      const last = rows.at(-1)
      if (!last || rows.length < chunkRows) break
      after = last
    }
    const { rows, head } = await balanceCount(read)
    yield* follow(head)
    if (rows !== holdings.size) throw count('account balances', rows, holdings.size)
  }

  function compare({ accountId, assetId, available, frozen }: Holding & { accountId: string; assetId: string }): void {
    const computed = holdings.get(`${accountId} ${assetId}`) ?? { available: 0n, frozen: 0n }
    if (computed.available === available && computed.frozen === frozen) return
    throw new AuditDifference(
      `Balance of account ${accountId} in asset ${assetId}: stored ${available} available and ${frozen} frozen, ` +
        `the entries come to ${computed.available} and ${computed.frozen}`,
    )
  }

  function compareSystem(name: string, assetId: string, amount: bigint): void {
    const computed = systems.get(`${name} ${assetId}`) ?? 0n
    if (computed === amount) return
    throw new AuditDifference(`${name} in asset ${assetId}: stored ${amount}, the entries come to ${computed}`)
  }

  /** What all ledger accounts together hold of each asset. */
  function sums(): Map<string, bigint> {
    const totals = new Map<string, bigint>()
    const add = (key: string, amount: bigint) => {
      const assetId = key.slice(key.lastIndexOf(' ') + 1)
      totals.set(assetId, (totals.get(assetId) ?? 0n) + amount)
    }
    for (const [key, amount] of systems) add(key, amount)
    for (const [key, { available, frozen }] of holdings) add(key, available + frozen)
    return totals
  }

  return { sweep, sums, entries: () => seq, balances: () => holdings.size }
}

/** An entry must say what its transaction says: the same asset and amount, between the accounts of its kind. */
function checkEntry({ seq, kind, transaction, transactionId, ...entry }: EntryOfTransaction): void {
  if (!transaction)
    throw new AuditDifference(`Entry ${seq} belongs to transaction ${transactionId}, which is not there`)
  const sides = sidesOf[kind]?.(transaction)
  const fits =
    entry.amount > 0n &&
    entry.amount === transaction.amount &&
    entry.assetId === transaction.assetId &&
    entry.debit === sides?.debit &&
    entry.credit === sides.credit
  if (!fits) throw new AuditDifference(`Entry ${seq} (${kind}) is not what transaction ${transactionId} says`)
}

const negative = (account: string, seq: number) => new AuditDifference(`Entry ${seq} makes ${account} negative`)

const count = (what: string, stored: number, computed: number) =>
  new AuditDifference(`${stored} ${what} are stored, the entries make ${computed}`)
