import type { Database } from 'bun:sqlite'
import { keyOf } from '../../../services/core-ledger/src/movements/key-of'
import { ledgerId, seedLedger } from '../../bench/ledger-seed'
import { fill, json, longText, oftenAs, series, withoutIndexes } from '../fill'
import { institutions } from '../institutions'
import { fileOf, fillDatabase, noReplicas, type Seed } from '../seed'

const accounts = (rows: number) => Math.max(10, Math.floor(rows / 1000) * 10)
const movements = (rows: number) => series(2, rows)
const transactionId = (i: string) => `printf('${ledgerId('deposit', 0).slice(0, 24)}%012x', ${i})`
const accountId = (i: string) => `printf('${ledgerId('account', 0).slice(0, 24)}%012x', ${i})`
const customerId = (i: string) => `printf('${ledgerId('customer', 0).slice(0, 24)}%012x', ${i})`
const invoice = 'INVOICE'

/**
 * The core ledger: the bench's books, half of them of one account, and transactions of all types and statuses. Lists
 * read no sums, so these need not agree with the books.
 */
export const coreLedger: Seed = {
  async make(folder, rows) {
    await seedLedger(folder, { accounts: accounts(rows), deposits: rows, pending: Math.floor(rows / 100) })
    fillDatabase(fileOf(folder, 'core-ledger'), (db) => {
      spreadTransactions(db)
      fillWork(db, rows)
      fillMovements(db, rows)
      fillOthers(db, rows)
    })
  },
  values: (rows, db) => {
    const last = ledgerId('deposit', rows - 1)
    const [open, frozen] = ['APPROVED', 'FROZEN'].map(
      (status) =>
        db.query<{ id: string }, []>(`SELECT id FROM transactions WHERE status = '${status}' LIMIT 1`).get()?.id ??
        last,
    ) as [string, string]
    const [always, never] = ['2020-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z']
    return {
      id: [last, open],
      'GET /transactions/{id}/review id': [frozen],
      'GET /assets/{id} id': [ledgerId('asset', 0)],
      accountId: [ledgerId('account', 0), ledgerId('account', 1)],
      accountIds: [Array.from({ length: 50 }, (_, i) => ledgerId('account', i)).join(',')],
      'GET /balances/accounts/history accountIds': [
        Array.from({ length: 50 }, (_, i) => ledgerId('account', i + 1)).join(','),
      ],
      days: ['92', '1'],
      ids: [Array.from({ length: 100 }, (_, i) => ledgerId('deposit', i)).join(',')],
      customerId: [ledgerId('customer', 0), ledgerId('customer', 1)],
      assetId: [ledgerId('asset', 0), ledgerId('asset', 9)],
      network: ['testnet', 'othernet'],
      from: [always, never],
      to: [never, always],
      'GET /api/v1/core/overview/digital-assets from': ['2026-10-01T00:00:00.000Z'],
      'GET /api/v1/core/overview/digital-assets to': ['2026-11-01T00:00:00.000Z'],
      'GET /api/v1/core/overview/digital-assets/portfolio from': ['2026-10-01T00:00:00.000Z'],
      'GET /api/v1/core/overview/digital-assets/portfolio to': ['2026-11-01T00:00:00.000Z'],
      'GET /api/v1/core/overview/digital-assets/portfolio/networks/{network} from': ['2026-10-01T00:00:00.000Z'],
      'GET /api/v1/core/overview/digital-assets/portfolio/networks/{network} to': ['2026-11-01T00:00:00.000Z'],
      reference: [invoice],
      txHash: [last],
      address: ['source'],
      'GET /transactions q': ['source', last],
      'GET /transactions/export q': ['source', last],
      granularity: ['day'],
      'GET /balances/account/{accountId}/statement accountId': [ledgerId('account', 1)],
      'GET /balances/account/{accountId}/statement from': ['2026-11-30T00:00:00.000Z'],
      'GET /balances/account/{accountId}/statement to': ['2026-12-31T00:00:00.000Z'],
      'GET /balances/account/{accountId}/statement/export accountId': [ledgerId('account', 1)],
      'GET /balances/account/{accountId}/statement/export from': ['2026-11-30T00:00:00.000Z'],
      'GET /balances/account/{accountId}/statement/export to': ['2026-12-31T00:00:00.000Z'],
      minUsd: ['1', '1000000000000'],
      'filter[assetCode]': ['USDX'],
      'filter[assetId]': [ledgerId('asset', 0)],
      'filter[accountId]': [ledgerId('account', 0)],
      q: ['source', last, invoice],
      participantId: [institutions(rows).id(0)],
    }
  },
  plans: {
    '"account_id" in (select "id" from "accounts" where "accounts"."customer_id" = +?)':
      'of customers with more than a hundred accounts alone, and a window at a time',
    'from "transactions" where "transactions"."status" = ': 'counts what is open, in its index',
    'from "journal" where "journal"."transaction_id" = +?': 'a transaction has some entries',
    'inner join "balances" on "balances"."account_id"': 'a customer has some accounts, and each some assets',
  },
  bounded: {
    ...noReplicas,
    assets: 'some hundreds: people make them',
    asset_terms: 'one for each change of an asset',
    system_balances: 'some for each asset and network',
    holdings: 'one for each account type, asset and network',
    daily_totals: 'one for each day, account type, asset, network and kind: they are read by days',
    journal_seals: 'one for many entries',
    activated_lists: 'one for each list that was loaded',
    listed_addresses: 'those of our customers’ addresses that a list has',
    refrozen_withdrawals: 'few: those that a new list has stopped',
    held_institutions: 'few: those that have money here and were ended',
    shortfalls: 'those that are open',
  },
}

function spreadTransactions(db: Database) {
  // Every tenth account has no transactions.
  db.run(
    `UPDATE accounts SET type = CASE rowid % 10 WHEN 0 THEN 'FEE_PAYER' WHEN 1 THEN 'OMNIBUS' ELSE 'STABLECOINS' END`,
  )
  withoutIndexes(db, 'transactions', () => {
    db.run(`UPDATE transactions SET account_id = ?, customer_id = ? WHERE rowid % 2 = 0 OR rowid % 10 = 0`, [
      ledgerId('account', 0),
      ledgerId('customer', 0),
    ])
    db.run(`UPDATE transactions SET
        type = ${oftenAs({ DEPOSIT: 700, WITHDRAWAL: 250, TRANSFER: 50 }, 'rowid')},
        status = CASE status WHEN 'PENDING' THEN status ELSE ${oftenAs({ COMPLETED: 960, REJECTED: 15, FAILED: 10, FROZEN: 10, APPROVED: 5 }, 'rowid * 31')} END,
        rejection_reason = CASE WHEN rowid % 97 = 0 THEN '${longText}' END,
        reference = CASE WHEN rowid % 10 = 0 THEN '${invoice}' END`)
  })
  db.run(`INSERT OR IGNORE INTO transaction_keys SELECT ?, id FROM transactions WHERE reference = '${invoice}'`, [
    keyOf(invoice),
  ])
}

function fillWork(db: Database, rows: number) {
  const at = movements(rows).sqlAt()
  fill(db, 'work', rows, {
    transaction_id: transactionId('i'),
    lane: oftenAs({ chain: 900, ledger: 100 }),
    due_at: at,
    attempts: '1',
    last_error: oftenAs({ '': 0, 'The wallet service cannot be reached': 900 }),
    created_at: at,
  })
  fill(db, 'failed_withdrawals', rows, {
    transaction_id: transactionId('i'),
    due_at: `(CASE WHEN i % 10 = 0 THEN NULL ELSE ${at} END)`,
    attempts: '0',
    contradiction: `(CASE WHEN i % 10 = 0 THEN 'confirmed' END)`,
    other_terms: '0',
  })
  fill(db, 'decisions', rows, {
    transaction_id: transactionId('i'),
    number: '1',
    decision: `'APPROVED'`,
    actor_kind: `'user'`,
    actor_id: `'somebody'`,
    at,
  })
  fill(db, 'chain_transfers', rows, {
    key: `'testnet ' || i`,
    transaction_id: transactionId('i'),
    confirmed_at: at,
  })
  fill(db, 'customer_owners', accounts(rows), {
    id: customerId('i'),
    participant_id: institutions(rows).sqlId(institutions(rows).sqlOwner()),
    epoch: '1',
    version: 'i + 1',
  })
}

function fillMovements(db: Database, rows: number) {
  const at = movements(rows).sqlAt()
  fill(db, 'authorised_executions', rows, {
    id: movements(rows).sqlId(),
    account_id: accountId(`i % ${accounts(rows)}`),
    network: `'testnet'`,
    takes: json([]),
    is_opaque: '0',
    authorised_at: at,
    ended_at: at,
  })
  fill(db, 'movements', rows, {
    id: movements(rows).sqlId(),
    kind: oftenAs({ fee: 500, in: 250, out: 250 }),
    network: `'testnet'`,
    tx_hash: `printf('0x%064x', i)`,
    place: `'fee'`,
    part: '1',
    account_id: accountId(`(CASE WHEN i % 2 = 0 THEN 0 ELSE i % ${accounts(rows)} END)`),
    address: `'0x0'`,
    amount: `'21000'`,
    decimals: '6',
    asset_id: `'${ledgerId('asset', 0)}'`,
    confirmed_at: at,
    booked_at: `(CASE WHEN i % 100 = 0 THEN NULL ELSE ${at} END)`,
    waits_for: `(CASE WHEN i % 100 = 0 THEN 'The ledger has no such asset' END)`,
  })
  fill(db, 'ordered_withdrawals', rows, {
    id: movements(rows).sqlId(),
    transaction_id: transactionId('i'),
    created_at: at,
  })
}

function fillOthers(db: Database, rows: number) {
  const at = movements(rows).sqlAt()
  fill(db, 'pfis', institutions(rows).count, {
    id: institutions(rows).sqlId(),
    status: `'APPROVED'`,
    epoch: '1',
    version: 'i + 1',
  })
  fill(db, 'participants', institutions(rows).count, {
    id: institutions(rows).sqlId(),
    epoch: '1',
    version: 'i + 1',
  })
  fill(db, 'listed_addresses', 1000, { address: `'0x' || i`, reason: `'SDN'`, listed_at: at })
  fill(db, 'price_changes', rows, { user_id: `'user-' || (i % 10)`, asset_code: `'usdx'`, at })
  fill(db, 'unmatched_deposits', rows, {
    id: movements(rows).sqlId(),
    deposit: `'{}'`,
    reason: `'No such account'`,
    due_at: at,
    attempts: '0',
    created_at: at,
  })
  fill(db, 'refrozen_withdrawals', 100, { transaction_id: transactionId('i'), reason: `'SDN'`, listed_at: at })
}
