// What the core ledger writes, by hand: prepared SQL, no framework, no checks but the balance's.
import type { Database } from 'bun:sqlite'

interface Withdrawal {
  accountId: string
  assetId: string
  network: string
  amount: string
  destinationAddress: string
}

const units = (text: string): bigint => {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(6, '0'))
}

const insertOutbox = 'INSERT INTO outbox (event_id, name, envelope, created_at) VALUES (?, ?, ?, ?)'

/** The tracker's line about a transaction, in its envelope, into the outbox. */
function logWriter(db: Database) {
  const outbox = db.prepare(insertOutbox)
  return (event_type: string, status: string, at: Date, metadata: Record<string, unknown>) => {
    const id = Bun.randomUUIDv7()
    const timestamp = at.toISOString()
    const requestId = crypto.randomUUID()
    const name = 'log-tracker.message.recorded'
    const data = { service: 'core-ledger', request_id: requestId, timestamp, event_type, status, metadata }
    const envelope = { id, name, type: name, timestamp, requestId, service: 'core-ledger', data }
    outbox.run(id, name, JSON.stringify(envelope), at.getTime())
  }
}

type Terms = [string, string | null, string | null, string, string, string, number, string, number, string, string]

/** What the service says when a transaction is made, in its envelope, into the outbox. */
function creationWriter(db: Database) {
  const outbox = db.prepare(insertOutbox)
  return (at: Date, time: string, data: Record<string, unknown>) => {
    const id = Bun.randomUUIDv7()
    const name = 'core-ledger.transaction.created'
    const requestId = crypto.randomUUID()
    const envelope = { id, name, type: name, timestamp: time, requestId, service: 'core-ledger', data }
    outbox.run(id, name, JSON.stringify(envelope), at.getTime())
  }
}

/** POST /transactions/withdrawal */
export function withdrawals(db: Database) {
  const terms = db.prepare(
    `SELECT a.status, a.customer_id, c.status, s.id, s.name, s.code, s.decimals, s.network, s.used, b.available, b.frozen
     FROM accounts a LEFT JOIN customers c ON c.id = a.customer_id
     LEFT JOIN assets s ON s.id = ?2 AND s.deleted_at IS NULL
     LEFT JOIN balances b ON b.account_id = a.id AND b.asset_id = ?2 WHERE a.id = ?1`,
  )
  const transaction = db.prepare(
    `INSERT INTO transactions (id, customer_id, account_id, asset_id, type, status, amount, network, asset_code, decimals,
       destination_address, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, 'WITHDRAWAL', 'PENDING', ?5, ?6, ?7, ?8, ?9, ?10, ?10)`,
  )
  const entry = db.prepare(
    `INSERT INTO journal (transaction_id, kind, asset_id, debit, credit, amount, created_at)
     VALUES (?, 'hold', ?, ?, ?, ?, ?)`,
  )
  const putBalance = db.prepare(
    'UPDATE balances SET available = ?3, frozen = ?4 WHERE account_id = ?1 AND asset_id = ?2',
  )
  const created = creationWriter(db)
  return ({ accountId, assetId, network, amount, destinationAddress }: Withdrawal) => {
    const [row] = terms.values(accountId, assetId) as Terms[]
    if (!row) throw new Error('There is no such account')
    const [, customerId, , , , code, decimals, , , available, frozen] = row
    const asked = units(amount)
    if (asked > BigInt(available)) throw new Error('Insufficient balance')
    const id = Bun.randomUUIDv7()
    const at = new Date()
    const [now, text, time] = [at.getTime(), asked.toString(), at.toISOString()]
    transaction.run(id, customerId, accountId, assetId, text, network, code, decimals, destinationAddress, now)
    entry.run(id, assetId, `available:${accountId}`, `frozen:${accountId}`, text, now)
    putBalance.run(accountId, assetId, (BigInt(available) - asked).toString(), (BigInt(frozen) + asked).toString())
    created(at, time, {
      v: 1,
      id,
      type: 'WITHDRAWAL',
      from: null,
      status: 'PENDING',
      reason: null,
      amount,
      assetId,
      assetCode: code,
      assetDecimals: decimals,
      network,
      customerId,
      accountId,
      toAccountId: null,
      sourceAddress: null,
      destinationAddress,
      txHash: null,
      reference: null,
      participantId: null,
      phases: [
        { name: 'created', status: 'COMPLETED', startedAt: time, completedAt: time, detail: null },
        { name: 'screening', status: 'IN_PROGRESS', startedAt: time, completedAt: null, detail: null },
      ],
      at: time,
    })
    return {
      id,
      customerId,
      accountId,
      assetId,
      type: 'WITHDRAWAL',
      status: 'PENDING',
      amount,
      network,
      sourceAddress: null,
      destinationAddress,
      reference: null,
      txHash: null,
      screeningData: null,
      createdAt: time,
      updatedAt: time,
    }
  }
}

/** POST /transactions/complete-screening of a transaction that did not pass: PENDING → FROZEN. */
export function screenings(db: Database) {
  const find = db.prepare(
    `SELECT t.*, s.id, s.name, s.code, s.decimals FROM transactions t JOIN assets s ON s.id = t.asset_id WHERE t.id = ?`,
  )
  const freeze = db.prepare(
    `UPDATE transactions SET status = 'FROZEN', phases = ?2, screening_approved = 0, screening_data = NULL,
       rejection_reason = NULL, failure_reason = NULL, tx_hash = ?3, updated_at = ?4, executed_at = NULL
     WHERE id = ?1 AND status = 'PENDING' RETURNING id`,
  )
  const log = logWriter(db)
  return ({ id }: { id: string }) => {
    const [row] = find.values(id) as (string | number)[][]
    if (!row) throw new Error('There is no such transaction')
    const at = new Date()
    const time = at.toISOString()
    const phases = ['created', 'screening', 'review'].map((name) => ({
      name,
      status: name === 'review' ? 'IN_PROGRESS' : 'COMPLETED',
      startedAt: time,
      completedAt: name === 'review' ? null : time,
      detail: null,
    }))
    const [frozen] = freeze.values(id, JSON.stringify(phases), row[12] ?? null, at.getTime())
    if (!frozen) throw new Error('Another was faster')
    log('TRANSACTION_CREATED', 'PENDING', at, {
      transaction_id: id,
      action: 'frozen',
      type: row[5],
      transaction_status: 'FROZEN',
      customer_id: row[1],
      account_id: row[2],
      asset_id: row[4],
      asset_code: row[25],
      network: row[8],
      amount: row[7],
      tx_hash: row[12],
    })
    return {}
  }
}
