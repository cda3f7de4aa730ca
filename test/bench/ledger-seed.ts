import { Database } from 'bun:sqlite'
import { join } from 'node:path'
import { openStore } from '@bursar/store'
import { sealJournal } from '../../services/core-ledger/src/bookkeeping/seal-journal'
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

/** The ids that the scripts in wrk/ make as well. */
export const ledgerId = (kind: 'asset' | 'account' | 'customer' | 'deposit' | 'pending', i: number): string =>
  `0190000${['asset', 'account', 'customer', 'deposit', 'pending'].indexOf(kind)}-0000-7000-8000-${i.toString(16).padStart(12, '0')}`

/** Makes the core ledger's database in a folder, by its own migrations: books that its audit finds right, and sealed. */
export async function seedLedger(folder: string, size: LedgerSize): Promise<void> {
  const file = join(folder, 'core.sqlite')
  await (await openStore({ service: 'core-ledger', file, migrations })).close()
  const db = new Database(file)
  db.run('PRAGMA synchronous = OFF')
  db.transaction(() => fill(db, size))()
  db.run('PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
  const store = await openStore({ service: 'core-ledger', file, migrations })
  await sealJournal(store)
  await store.close()
}

function fill(db: Database, { accounts, deposits, pending = 0 }: LedgerSize) {
  const asset = ledgerId('asset', 0)
  db.run(
    `INSERT INTO assets (id, code, name, network, decimals, metadata, used, created_at, updated_at)
     VALUES (?, 'USDX', 'A dollar', ?, 6, '{}', 1, ?, ?)`,
    [asset, network, start, start],
  )
  const account = db.prepare(
    `INSERT INTO accounts (id, customer_id, type, status, version) VALUES (?, ?, 'STABLECOINS', 'active', 1)`,
  )
  const customer = db.prepare(`INSERT INTO customers (id, status, version) VALUES (?, 'active', 1)`)
  const balance = db.prepare(`INSERT INTO balances VALUES (?, '${asset}', ?, '0')`)
  for (let i = 0; i < accounts; i++) {
    const count = Math.floor(deposits / accounts) + (i < deposits % accounts ? 1 : 0)
    account.run(ledgerId('account', i), ledgerId('customer', i))
    customer.run(ledgerId('customer', i))
    balance.run(ledgerId('account', i), (BigInt(count) * paidIn).toString())
  }
  const enter = depositWriter(db, asset, accounts)
  for (let i = 0; i < deposits; i++) enter('COMPLETED', ledgerId('deposit', i), i, paidIn)
  for (let i = 0; i < pending; i++) enter('PENDING', ledgerId('pending', i), i, waitingIn)
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

/** A deposit with the entries that its status has posted. */
function depositWriter(db: Database, asset: string, accounts: number) {
  const at = new Date(start).toISOString()
  const phases = JSON.stringify(
    ['created', 'screening', 'execution', 'confirmation'].map((name) => ({
      name,
      status: 'COMPLETED',
      startedAt: at,
      completedAt: at,
      detail: null,
    })),
  )
  const transaction = db.prepare(
    `INSERT INTO transactions (id, customer_id, account_id, asset_id, type, status, amount, network, source_address,
       tx_hash, log_index, screening_approved, phases, created_at, updated_at, executed_at)
     VALUES (?, ?, ?, '${asset}', 'DEPOSIT', ?, ?, '${network}', 'source', ?1, 0, ?, ?, ${start}, ${start}, ?)`,
  )
  const entry = db.prepare(
    `INSERT INTO journal (transaction_id, kind, asset_id, debit, credit, amount, created_at)
     VALUES (?, ?, '${asset}', ?, ?, ?, ${start})`,
  )
  return (status: 'COMPLETED' | 'PENDING', id: string, i: number, amount: bigint) => {
    const done = status === 'COMPLETED'
    const account = ledgerId('account', i % accounts)
    const customer = ledgerId('customer', i % accounts)
    const text = amount.toString()
    transaction.run(id, customer, account, status, text, done ? 1 : null, done ? phases : null, done ? start : null)
    entry.run(id, 'arrival', `world:${network}`, `suspense:${network}`, text)
    if (done) entry.run(id, 'credit', `suspense:${network}`, `available:${account}`, text)
  }
}
