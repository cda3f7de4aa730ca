import type { NotificationType } from '@bursar/contracts/notification'
import { fill, firstDay, numbers, oftenAs, series } from '../fill'
import { makeDatabase, noReplicas, type Seed } from '../seed'

const participants = series(1, 1000)
const transactions = (rows: number) => series(2, rows)
const type = oftenAs({
  'payment.executed': 300,
  'payment.created': 300,
  'payment.accepted': 300,
  'transaction.status_updated': 95,
  'payment.rejected': 4,
  'payment.cancelled': 1,
} satisfies Record<NotificationType, number>)

/** The notification service: every event stands in the lists of its two participants, half of all in those of one. */
export const notification: Seed = {
  make: (folder, rows) =>
    makeDatabase('notification', folder, (db) => {
      const own = transactions(rows)
      const payment = `json_object('transactionId', ${own.sqlId('i / 5')}, 'type', 'TRANSFER', 'status', 'COMPLETED', 'amount', '1000.00', 'currency', 'USD', 'fromParticipant', ${participants.sqlId(participants.sqlOwner())}, 'toParticipant', ${participants.sqlId('i % 999 + 1')})`
      // No two have the same time.
      fill(db, 'events', rows, {
        timestamp: `${own.sqlAt()} + i % 10`,
        id: series(3, rows).sqlId(),
        type,
        data: payment,
        transaction_id: own.sqlId('i / 5'),
      })
      const lists = {
        all: `''`,
        from: participants.sqlId(participants.sqlOwner()),
        to: participants.sqlId('i % 999 + 1'),
      }
      for (const whose of Object.values(lists)) {
        for (const ofType of [`''`, type]) {
          db.run(`INSERT INTO listed_events (participant_id, type, timestamp, number)
            SELECT p, t, at, row_number() OVER (PARTITION BY p, t ORDER BY at)
            FROM (SELECT ${whose} AS p, ${ofType} AS t, ${own.sqlAt()} + i % 10 AS at FROM ${numbers(rows)}) WHERE true
            ON CONFLICT DO NOTHING`)
        }
      }
    }),
  values: (rows) => ({
    since: [
      firstDay,
      transactions(rows)
        .at(rows - 200)
        .toISOString(),
    ],
    transactionId: [transactions(rows).id(1)],
    q: [transactions(rows).id(1)],
    participantId: [participants.id(0)],
  }),
  bounded: {
    ...noReplicas,
    waiting_events: 'is empty where one process owns the database, and emptied on a server',
  },
  scoped: { 'GET /events': [participants.id(0), participants.id(2)] },
}
