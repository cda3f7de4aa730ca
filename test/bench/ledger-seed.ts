import { Database } from 'bun:sqlite'
import { statfsSync } from 'node:fs'
import { join } from 'node:path'
import { openStore, placeName } from '@bursar/store'
import { indexedEntries, summedEntries } from '../../services/core-ledger/src/ledger/sealed-rows'
import { keyOf } from '../../services/core-ledger/src/movements/key-of'
import { sealJournal } from '../../services/core-ledger/src/seals/seal-journal'
import { migrations } from '../../services/core-ledger/src/service'

export interface LedgerSize {
  accounts: number
  /** Completed deposits, at least one for each account. */
  deposits: number
  /** Deposits that wait for their screening. */
  pending?: number
}

const start = Date.UTC(2026, 0, 1)
const paidIn = 10n ** 15n
const waitingIn = 10n ** 6n
const network = 'testnet'
const source = 'source'

/** The ids that the scripts in wrk/ make as well. */
export const ledgerId = (kind: 'asset' | 'account' | 'customer' | 'deposit' | 'pending', i: number): string =>
  `0190000${['asset', 'account', 'customer', 'deposit', 'pending'].indexOf(kind)}-0000-7000-8000-${i.toString(16).padStart(12, '0')}`

/** The same in SQL. */
const sqlId = (kind: Parameters<typeof ledgerId>[0], i: string) =>
  `printf('${ledgerId(kind, 0).slice(0, 24)}%012x', ${i})`

/**
 * Makes the core ledger's database in a folder, by its own migrations: books that its audit finds right, sealed and indexed.
 * By SQL alone: ten million entries take some minutes.
 */
export async function seedLedger(folder: string, size: LedgerSize): Promise<void> {
  requireSpace(folder, size)
  const file = join(folder, 'core.sqlite')
  await (await openStore({ service: 'core-ledger', file, migrations })).close()
  const db = new Database(file)
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -262144', 'temp_store = FILE']) {
    db.run(`PRAGMA ${pragma}`)
  }
  db.transaction(() => fill(db, size))()
  db.close()
  const store = await openStore({ service: 'core-ledger', file, migrations })
  await sealJournal({ store, now: () => new Date() })
  await store.close()
}

/** A completed deposit with its two entries, its keys and their indexes, and the room to sort these. */
const bytesEach = 2600

function requireSpace(folder: string, { deposits, pending = 0 }: LedgerSize) {
  const { bavail, bsize } = statfsSync(folder)
  const needed = (deposits + pending) * bytesEach
  if (bavail * bsize > needed) return
  const inGb = (bytes: number) => (bytes / 1e9).toFixed(1)
  throw new Error(`The ledger needs ${inGb(needed)} GB in ${folder}, where ${inGb(bavail * bsize)} GB are free`)
}

function fill(db: Database, { accounts, deposits, pending = 0 }: LedgerSize) {
  const asset = ledgerId('asset', 0)
  db.run(
    `INSERT INTO assets (id, code, name, network, decimals, metadata, used, created_at, updated_at)
     VALUES (?, 'USDX', 'A dollar', ?, 6, '{}', 1, ?, ?)`,
    [asset, network, start, start],
  )
  db.run(`INSERT INTO asset_terms (asset_id, code, decimals, network, at) VALUES (?, 'USDX', 6, ?, ?)`, [
    asset,
    network,
    start,
  ])
  const account = sqlId('account', 'i')
  const customer = sqlId('customer', 'i')
  db.run(`INSERT INTO accounts (id, customer_id, type, status, version)
    SELECT ${account}, ${customer}, 'STABLECOINS', 'active', 1 FROM ${numbers(accounts)}`)
  db.run(`INSERT INTO customers (id, status, version) SELECT ${customer}, 'active', 1 FROM ${numbers(accounts)}`)
  const count = `(${Math.floor(deposits / accounts)} + (i < ${deposits % accounts}))`
  db.run(`INSERT INTO balances (account_id, asset_id, available, frozen)
    SELECT ${account}, '${asset}', CAST(${count} * ${paidIn} AS TEXT), '0' FROM ${numbers(accounts)}`)
  // An index that is made at the end is sorted once.
  const { sql } =
    db.query<{ sql: string }, []>(`SELECT sql FROM sqlite_schema WHERE name = 'transactions_account'`).get() ?? {}
  db.run('DROP INDEX transactions_account')
  const enter = depositWriter(db, asset, accounts)
  enter('COMPLETED', deposits)
  enter('PENDING', pending)
  db.run(sql ?? '')
  index(db, { deposit: deposits, pending })
  const held = BigInt(deposits) * paidIn
  const waiting = BigInt(pending) * waitingIn
  const system = db.prepare(`INSERT INTO system_balances VALUES (?, '${asset}', ?)`)
  system.run(`world:${network}`, (-held - waiting).toString())
  system.run(`suspense:${network}`, waiting.toString())
  const place = ['STABLECOINS', asset, network]
  db.run('INSERT INTO holdings VALUES (?, ?, ?, ?)', [...place, held.toString()])
  const day = new Date(start).toISOString().slice(0, 10)
  db.run(`INSERT INTO daily_totals VALUES (?, ?, ?, ?, 'DEPOSIT', ?, ?)`, [day, ...place, deposits, held.toString()])
}

/** A table of the whole numbers `i` from 0, so many. */
const numbers = (count: number) =>
  `(WITH RECURSIVE n(i) AS (SELECT 0 WHERE ${count} > 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${count}) SELECT i FROM n)`

/** Has each found by its source and its hash, as the service's worker would. */
function index(db: Database, counts: { deposit: number; pending: number }) {
  db.run('CREATE TEMP TABLE found_by (key INTEGER, id TEXT)')
  const insert = db.prepare('INSERT INTO found_by VALUES (?, ?)')
  const ofSource = keyOf(source)
  for (const kind of ['deposit', 'pending'] as const) {
    for (let i = 0; i < counts[kind]; i++) {
      const id = ledgerId(kind, i)
      insert.run(ofSource, id)
      insert.run(keyOf(id), id)
    }
  }
  db.run('INSERT INTO transaction_keys SELECT key, id FROM found_by ORDER BY key, id')
  db.run('DROP TABLE found_by')
  for (const { name } of [indexedEntries, summedEntries]) {
    db.run(`INSERT INTO meta (key, value) SELECT ?, json_object('entries', MAX(seq)) FROM journal`, [placeName(name)])
  }
}

/** Deposits in turn to each account, with the entries that their status has posted. */
function depositWriter(db: Database, asset: string, accounts: number) {
  const at = new Date(start).toISOString()
  // As the ledger stores them: all at one time, each from the end of the one before (transactions.table.ts).
  const phases = JSON.stringify(
    ['created', 'screening', 'execution', 'confirmation'].map((name, i) => [name, 'COMPLETED', i === 0 ? at : 0, 0]),
  )
  const entry = (id: string, kind: string, debit: string, credit: string, amount: bigint, count: number) =>
    db.run(`INSERT INTO journal (transaction_id, kind, asset_id, debit, credit, amount, created_at)
      SELECT ${id}, '${kind}', '${asset}', ${debit}, ${credit}, '${amount}', ${start} FROM ${numbers(count)}`)
  return (status: 'COMPLETED' | 'PENDING', count: number) => {
    const done = status === 'COMPLETED'
    const amount = done ? paidIn : waitingIn
    const id = sqlId(done ? 'deposit' : 'pending', 'i')
    const account = sqlId('account', `i % ${accounts}`)
    const customer = sqlId('customer', `i % ${accounts}`)
    const verdict = done ? `1, '${phases}', ${start}` : 'NULL, NULL, NULL'
    db.run(`INSERT INTO transactions (id, customer_id, account_id, asset_id, type, status, amount, network, asset_code,
         decimals, source_address, tx_hash, log_index, screening_approved, phases, executed_at, created_at, updated_at)
       SELECT ${id}, ${customer}, ${account}, '${asset}', 'DEPOSIT', '${status}', '${amount}', '${network}', 'USDX',
         6, '${source}', ${id}, 0, ${verdict}, ${start}, ${start} FROM ${numbers(count)}`)
    entry(id, 'arrival', `'world:${network}'`, `'suspense:${network}'`, amount, count)
    if (done) entry(id, 'credit', `'suspense:${network}'`, `'available:' || ${account}`, amount, count)
  }
}
