import { fill, firstDay, json, longText, oftenAs, series, sometimes } from '../fill'
import { makeDatabase, noReplicas, type Seed } from '../seed'

const participants = series(1, 1000)
const endpoints = (rows: number) => series(2, Math.max(3, Math.floor(rows / 100)))
const deliveries = (rows: number) => series(3, rows)
const events = { many: 'payment.executed', few: 'message.created' }

/** The webhook service: half of all deliveries go to one endpoint; few have failed, fewer wait. */
export const webhook: Seed = {
  make: (folder, rows) =>
    makeDatabase('webhook', folder, (db) => {
      const [own, to] = [deliveries(rows), endpoints(rows)]
      const at = own.sqlAt()
      const status = oftenAs({ delivered: 975, failed: 20, pending_retry: 5 })
      fill(db, 'endpoints', to.count, {
        id: to.sqlId(),
        participant_id: participants.sqlId(participants.sqlOwner()),
        url: `'https://hooks.example/' || i`,
        event_types: json([]),
        status: oftenAs({ active: 990, disabled: 10 }),
        secret: `'sealed'`,
        created_at: to.sqlAt(),
        updated_at: to.sqlAt(),
      })
      fill(db, 'deliveries', rows, {
        id: own.sqlId(),
        event_id: series(4, rows).sqlId(),
        request_id: series(4, rows).sqlId(),
        event_type: oftenAs({ [events.many]: 900, [events.few]: 100 }),
        participant_id: participants.sqlId(participants.sqlOwner(to.sqlOwner())),
        endpoint_id: to.sqlId(to.sqlOwner()),
        target_id: to.sqlId(to.sqlOwner()),
        url: `'https://hooks.example/' || ${to.sqlOwner()}`,
        body: sometimes(20, json({ text: longText }), `'{"number":' || i || '}'`),
        status,
        attempt_count: '1',
        max_retries: '5',
        last_error: `(CASE ${status} WHEN 'delivered' THEN NULL ELSE 'answered 500' END)`,
        last_attempt_at: at,
        success_at: `(CASE ${status} WHEN 'delivered' THEN ${at} END)`,
        failed_at: `(CASE ${status} WHEN 'failed' THEN ${at} END)`,
        http_status: `(CASE ${status} WHEN 'delivered' THEN 200 ELSE 500 END)`,
        due_at: `(CASE ${status} WHEN 'pending_retry' THEN ${at} END)`,
        created_at: at,
        updated_at: at,
      })
      fill(db, 'attempts', rows, {
        id: series(5, rows).sqlId(),
        // One delivery was tried a thousand times.
        delivery_id: own.sqlId('(CASE WHEN i % 1000 = 0 THEN 0 ELSE i END)'),
        started_at: at,
        duration_ms: 'i % 900',
        http_status: '200',
        answer: sometimes(20, `'${longText}'`, `'ok'`),
      })
      fill(db, 'targets', to.count, {
        id: to.sqlId(),
        endpoint_id: to.sqlId(),
        pace: `'quick'`,
        attempts: '0',
        failures: '0',
      })
      fill(db, 'pfis', participants.count, {
        id: participants.sqlId(),
        status: `'APPROVED'`,
        epoch: '1',
        version: 'i + 1',
      })
      fill(db, 'participants', participants.count, { id: participants.sqlId(), epoch: '1', version: 'i + 1' })
    }),
  values: (rows) => {
    const [own, to] = [deliveries(rows), endpoints(rows)]
    const [late, early] = [own.at(rows - 100).toISOString(), own.at(100).toISOString()]
    return {
      requestId: [series(4, rows).id(rows - 1)],
      deliveryId: [own.id(0), own.id(rows - 1)],
      id: [to.id(0), to.id(1)],
      endpointId: [to.id(0), to.id(1)],
      ids: [Array.from({ length: 25 }, (_, i) => to.id(i)).join(',')],
      participantId: [participants.id(0), participants.id(1)],
      event: [events.many, events.few, 'nothing.has.this'],
      resourceId: [series(4, rows).id(5), [0, 1, 2].map((i) => series(4, rows).id(i)).join(',')],
      since: [firstDay, late],
      until: [own.at(rows - 1).toISOString(), early],
      from: [firstDay, late],
      to: [own.at(rows - 1).toISOString(), early],
      'GET /internal/search q': ['https://hooks.example/1', own.id(rows - 1), series(4, rows).id(5)],
    }
  },
  plans: {
    '"deliveries"."request_id" = +?': 'a job, message or event has a handful of deliveries',
    '"deliveries"."request_id" >= +?': 'a job, message or event has a handful of deliveries',
    '"endpoints"."participant_id" = +? and "endpoints"."url" >= +?': 'an institution has at most 20 endpoints',
  },
  bounded: noReplicas,
  scoped: {
    'GET /webhooks/deliveries': [participants.id(0), participants.id(1)],
    'GET /webhooks/delivery/failed': [participants.id(0), participants.id(1)],
    'GET /webhooks/delivery/pending-retries': [participants.id(0), participants.id(1)],
    'GET /webhooks/endpoints': [participants.id(0)],
  },
}
