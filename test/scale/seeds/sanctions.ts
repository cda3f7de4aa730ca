import { fill, firstDay, json, longText, oftenAs, series, sometimes } from '../fill'
import { makeDatabase, noReplicas, type Seed } from '../seed'

const participants = series(1, 1000)
const jobs = (rows: number) => series(2, rows)
/** A tenth of all screenings are of one address. */
const address = (i: string) => `printf('0x%040x', CASE WHEN ${i} % 10 = 3 THEN 0 ELSE ${i} END)`
const clear = json({ address: '0x0', blockchain: 'ethereum', sanctioned: false, sources: [], checkedAt: firstDay })

/** The sanctions service: nearly all screenings are done and clear, half of them for one participant. */
export const sanctions: Seed = {
  make: (folder, rows) =>
    makeDatabase('sanctions', folder, (db) => {
      const own = jobs(rows)
      const status = oftenAs({ completed: 990, failed: 6, pending: 4 })
      fill(db, 'jobs', rows, {
        id: own.sqlId(),
        kind: oftenAs({ ledger: 900, address: 80, transaction: 20 }),
        external_id: own.sqlId(),
        subject: address('i'),
        blockchain: `'ethereum'`,
        participant_id: sometimes(800, participants.sqlId(participants.sqlOwner())),
        status,
        result: `(CASE ${status} WHEN 'completed' THEN ${clear} END)`,
        last_error: `(CASE ${status} WHEN 'failed' THEN '${longText.slice(0, 200)}' END)`,
        attempts: '1',
        due_at: `(CASE ${status} WHEN 'pending' THEN ${own.sqlAt()} END)`,
        created_at: own.sqlAt(),
        updated_at: own.sqlAt(),
        sanctioned: `(CASE ${status} WHEN 'completed' THEN i % 5000 = 1 END)`,
      })
      fill(db, 'watched_addresses', rows, {
        key: `printf('0x%040x', i)`,
        participant_id: participants.sqlId(participants.sqlOwner()),
        address: `printf('0x%040x', i)`,
        blockchain: `'ethereum'`,
        list_id: '1',
        listed: '0',
        created_at: own.sqlAt(),
      })
    }),
  values: (rows) => ({
    jobId: [jobs(rows).id(rows - 1)],
    transactionId: [jobs(rows).id(0)],
    externalId: [jobs(rows).id(0)],
    address: ['0x0000000000000000000000000000000000000000', `0x${(rows - 1).toString(16).padStart(40, '0')}`],
    from: [
      firstDay,
      jobs(rows)
        .at(rows - 100)
        .toISOString(),
    ],
    to: [
      jobs(rows)
        .at(rows - 1)
        .toISOString(),
      jobs(rows).at(100).toISOString(),
    ],
    'GET /internal/search q': ['0x0000000000000000000000000000000000000000', jobs(rows).id(0)],
    participantId: [participants.id(0), participants.id(1)],
  }),
  plans: {
    'from (select 1 as "one" from "jobs" where': 'counts to 100,000 at most; nearly all jobs pass',
  },
  bounded: {
    ...noReplicas,
    lists: 'one for each list that was loaded, read one at a time',
    list_entries: 'those of the lists in use: some thousands',
    listed_names: 'those of the lists in use: some thousands',
    listed_name_words: 'those of the lists in use: some thousands',
    list_failures: 'one for each list that could not be loaded; the last is read',
  },
  scoped: { 'GET /sanctions/jobs': [participants.id(0), participants.id(1)] },
}
