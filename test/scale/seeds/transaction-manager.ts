import { nameOf, participantId, seedPayments } from '../../bench/payment-seed'
import { fill, firstDay, longText, series, sometimes } from '../fill'
import { fileOf, fillDatabase, type Seed } from '../seed'

/** A thousand institutions to a million payments. */
const institutions = (rows: number) => Math.max(5, Math.floor(rows / 1000))
const paymentId = (i: string) => `(SELECT id FROM payments WHERE rowid = 1 + (${i}))`

/** The transaction manager: half of all payments are one institution's, nearly all are completed. */
export const transactionManager: Seed = {
  async make(folder, rows) {
    await seedPayments(folder, { participants: institutions(rows), payments: rows, skewed: true })
    fillDatabase(fileOf(folder, 'transaction-manager'), (db) => {
      const own = series(1, rows)
      // One of each kind that somebody waits for, as its worker has yet to count it.
      for (const kind of ['deposit', 'do-deposit']) {
        const first = `(SELECT id FROM payments WHERE kind = '${kind}' LIMIT 1)`
        db.run(`INSERT INTO uncounted_moves (from_id, to_id, type, currency, from_status, to_status)
          SELECT from_participant_id, to_participant_id, type, currency, status, 'PENDING' FROM payments WHERE id = ${first}`)
        db.run(`UPDATE payments SET status = 'PENDING' WHERE id = ${first}`)
      }
      db.run(
        `UPDATE payments SET transaction_hash = printf('0x%064x', rowid - 1), description = ${sometimes(20, `'${longText}'`, 'NULL', 'rowid')}`,
      )
      fill(db, 'history', rows, {
        payment_id: paymentId('i'),
        to_status: `'COMPLETED'`,
        moved_by: `'service core-ledger'`,
        moved_at: own.sqlAt(),
      })
      fill(db, 'credit_entries', rows, {
        participant_id: `printf('01900000-0000-7000-8000-%012x', i % ${institutions(rows)})`,
        currency: `'USD'`,
        kind: `'reserve'`,
        amount: `'100'`,
        payment_id: paymentId('i'),
        created_at: own.sqlAt(),
      })
      fill(db, 'additional_requests', rows, {
        id: own.sqlId(),
        payment_id: paymentId('i'),
        type: `'RFI'`,
        message: `'Please say more'`,
        created_at: own.sqlAt(),
      })
      fill(db, 'changes', rows, { kind: `'payment'`, record_id: paymentId('i') })
      fill(db, 'participants', institutions(rows), {
        id: `printf('01900000-0000-7000-8000-%012x', i)`,
        epoch: '1',
        version: 'i + 1',
      })
    })
  },
  values: (rows, db) => {
    const [oldest, newest] = ['asc', 'desc'].map(
      (order) =>
        db
          .query<{ id: string; at: number }, []>(
            `SELECT id, created_at AS at FROM payments ORDER BY id ${order} LIMIT 1`,
          )
          .get() ?? { id: '', at: 0 },
    ) as [{ id: string; at: number }, { id: string; at: number }]
    const last = rows - 1
    const time = (at: number) => new Date(at).toISOString()
    const kindOf = (kind: string) =>
      db
        .query<{ reference: string }, [string]>(
          `SELECT reference FROM payments WHERE kind = ? AND status = 'PENDING' LIMIT 1`,
        )
        .get(kind)?.reference ?? ''
    return {
      transactionId: [oldest.id, newest.id],
      ids: [
        db
          .query<{ id: string }, []>('SELECT id FROM payments LIMIT 100')
          .all()
          .map(({ id }) => id)
          .join(','),
      ],
      transactionHash: [`0x${last.toString(16).padStart(64, '0')}`],
      participantId: [participantId(0), participantId(1)],
      afterCurrency: ['EUR'],
      participantIds: [[0, 1, 2].map(participantId).join(',')],
      status: ['COMPLETED', 'PENDING', 'COMPLETED,FAILED', 'REJECTED'],
      'status[]': ['COMPLETED', 'PENDING'],
      type: ['TRANSFER', 'DO_DEPOSIT', 'TRANSFER,DEPOSIT'],
      'type[]': ['TRANSFER', 'WITHDRAWAL'],
      search: [nameOf(0), 'bank', nameOf(1), 'lakeside', 'bank 1', `ref-${last}`, newest.id],
      reference: [`REF-${last}`],
      'GET /deposit/{reference} reference': [kindOf('deposit')],
      'GET /do-deposit/{reference} reference': [kindOf('do-deposit')],
      from: [firstDay, time(newest.at - 1000)],
      to: [time(newest.at), time(oldest.at + 1000)],
      q: [nameOf(1), `REF-${last}`, newest.id],
      'GET /internal/payments/changes after': [String(rows - 200)],
    }
  },
  plans: {
    'from "payment_counts" where': 'counts by type, status and currency: some dozens for each pair of institutions',
  },
  bounded: {
    pfis: 'some thousands: institutions',
    participants: 'some thousands: institutions',
    bank_accounts: 'some for each institution',
    uncounted_moves: 'is emptied by a worker, some seconds after each payment',
    credit_lines: 'one for each institution and currency',
  },
}
