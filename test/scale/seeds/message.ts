import { fill, json, longText, oftenAs, series, sometimes } from '../fill'
import { makeDatabase, noReplicas, type Seed } from '../seed'

const participants = series(1, 1000)

/** The message service, half of whose messages are for one participant. */
export const message: Seed = {
  make: (folder, rows) =>
    makeDatabase('message', folder, (db) => {
      const own = series(2, rows)
      fill(db, 'messages', rows, {
        id: own.sqlId(),
        type: oftenAs({ JSON: 900, TEXT: 80, ISO20022: 15, RFI: 5 }),
        data: sometimes(20, json({ text: longText }), `'{"text":"Message ' || i || '"}'`),
        participant_id: participants.sqlId(participants.sqlOwner()),
        created_at: own.sqlAt(),
      })
    }),
  values: (rows) => ({
    id: [series(2, rows).id(rows - 1)],
    participantId: [participants.id(0), participants.id(1)],
    'GET /messages q': ['Message', `Message ${rows - 1}`],
    'GET /internal/search q': [series(2, rows).id(rows - 1)],
  }),
  bounded: noReplicas,
  plans: {
    '"bytes" from "messages" order by "messages"."id" desc limit':
      'Of the newest 10,000 as many as have 16 MB together: their sizes are summed.',
  },
}
