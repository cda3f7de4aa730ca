import { Database } from 'bun:sqlite'
import { dayMs, seedMessages, start } from '../../bench/tracker-seed'
import { fileOf, fillDatabase, makeDatabase, noReplicas, type Seed } from '../seed'

const days = 30
const transactionId = '01900000-0000-7000-8000-000000000001'

/** The log tracker: every service has said every event in every status, and one transaction has a tenth of all messages. */
export const logTracker: Seed = {
  async make(folder, rows) {
    await makeDatabase('log-tracker', folder, () => {})
    seedMessages(new Database(fileOf(folder, 'log-tracker')), { messages: rows, days })
    fillDatabase(fileOf(folder, 'log-tracker'), (db) => {
      db.run(
        `INSERT INTO ledger_heads (books, last_seq, number, hash, sealed_at) VALUES ('${transactionId}', 1, 1, '${'0'.repeat(64)}', ${start})`,
      )
      db.run(
        `UPDATE log_messages SET transaction_id = CASE WHEN seq % 10 = 0 THEN ? ELSE printf('01900000-0000-7001-8000-%012x', seq) END`,
        [transactionId],
      )
    })
  },
  values: (rows, db) => {
    const { request_id: requestId } = db
      .query<{ request_id: string }, []>('SELECT request_id FROM log_messages LIMIT 1')
      .get() ?? { request_id: '' }
    const moment = (part: number) => new Date(start + part * days * dayMs).toISOString()
    return {
      service: ['quote', 'core-ledger'],
      type: ['WALLET_CREATED', 'HEALTH_CHECK'],
      status: ['FAILURE', 'SUCCESS'],
      excludeTypes: ['HEALTH_CHECK', 'HEALTH_CHECK,SERVICE_STARTED'],
      requestId: [requestId],
      transactionId: [transactionId, `01900000-0000-7001-8000-${(rows - 1).toString(16).padStart(12, '0')}`],
      startDate: [moment(0), moment(0.2137), moment(0.99)],
      endDate: [moment(1), moment(0.7713), moment(0.01)],
      q: [requestId, transactionId],
      participantId: [transactionId],
    }
  },
  plans: {
    'from "log_series" cross join "log_messages"':
      'sorts the matches of a page’s blocks, some thousand, or few ones of all time',
    'group by "log_series"': 'counts the messages of one block',
  },
  bounded: {
    time_blocks: 'one for some thousand messages',
    time_block_counts: 'some dozens for each of these',
    ...noReplicas,
    waiting_messages: 'is empty where one process owns the database, and emptied on a server',
    log_series: 'one for each service, event type and status',
    ledger_heads: 'one for each set of books, and for each seal that is newer than it',
  },
  apart: { 'GET /log-messages/stream': 'never ends: what it replays is read as GET /log-messages is' },
}
