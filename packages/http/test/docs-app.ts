import { silentLog } from '@bursar/contracts/log'
import { about, byId, nullable, oneOf, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import {
  createMetrics,
  Deleted,
  deleted,
  type ErrorShape,
  forParticipant,
  idempotencyKeys,
  operation,
  page,
  pageOf,
  pageQuery,
  plainHealth,
  queryTime,
  response,
  service,
} from '../src'

const Bolt = t.Object(
  {
    id: uuid(),
    name: t.String(),
    size: about('In millimetres; null for an odd one', nullable(t.Number())),
    kind: oneOf(['hex', 'eye']),
    unit: t.Literal('mm'),
    labels: t.Record(t.String(), t.String()),
    range: t.Tuple([t.Number(), t.Number()]),
    maker: nullable(t.Object({ id: uuid() }, { title: 'Maker' })),
    createdAt: timestamp(),
  },
  { title: 'Bolt' },
)
const NewBolt = t.Object(
  { name: text(50), size: t.Optional(nullable(t.Number())) },
  { title: 'NewBolt', examples: [{ name: 'M8' }, { name: 'M10', size: 40 }] },
)
const query = t.Object({
  ...pageQuery({ sortBy: ['name', 'size'], defaultSort: 'name', defaultOrder: 'asc' }),
  since: t.Optional(queryTime()),
})
const some = () => ({}) as never

const bolts = new Elysia({ prefix: '/bolts', tags: ['Bolts'] })
  .get('/', ({ query }) => page([], query, 0), {
    query,
    response: { 200: response(pageOf(Bolt)) },
    detail: { operationId: 'listBolts', summary: 'List bolts' },
  })
  .post('/', some, {
    body: NewBolt,
    response: { 201: response(Bolt) },
    detail: operation('createBolt', 'Make a bolt', { 409: 'The name is taken', 503: 'The forge is cold' }),
  })
  .get('/export.csv', () => 'name', {
    response: { 200: response(t.String({ description: 'Comma-separated values' })) },
    detail: { operationId: 'exportBolts', summary: 'Export all bolts' },
  })
  .guard({ params: byId('01900000-0000-7000-8000-000000000001') }, (one) =>
    one
      .get('/:id', some, {
        response: { 200: response(Bolt) },
        detail: { operationId: 'getBolt', summary: 'Get a bolt' },
      })
      .patch('/:id', some, {
        body: t.Partial(NewBolt, { title: 'BoltChanges', examples: [{ size: 30 }] }),
        response: { 200: response(Bolt) },
        detail: { operationId: 'changeBolt', summary: 'Change a bolt' },
      })
      .delete('/:id', () => deleted('gone'), {
        response: { 200: response(Deleted) },
        detail: { operationId: 'deleteBolt', summary: 'Delete a bolt' },
      }),
  )
  .post('/:id/turn-round', some, {
    response: { 204: response(t.Void()) },
    detail: {
      operationId: 'turnBoltRound',
      summary: 'Turn a bolt round',
      description: 'By half a turn.',
      ...idempotencyKeys('forever'),
    },
  })
  .post('/count', () => ({ count: 1 }), {
    response: { 200: response(t.Object({ count: t.Integer() }, { title: 'BoltCount' })) },
    detail: {
      operationId: 'countBolts',
      summary: 'Count the bolts',
      ...idempotencyKeys('none'),
      ...forParticipant('sk_test_x'),
    },
  })
  .ws('/stream', { detail: { operationId: 'streamBolts', summary: 'Hear of new bolts' } })
  .get('/files/*', () => 'hidden: no document can show it')
  .get('/secret', () => 'hidden', { detail: { hide: true } })

/** A service with one of everything that a document has to tell. */
export const docsApp = (shape: ErrorShape) =>
  service({
    name: 'quote',
    version: '1.2.3',
    description: 'A sample.',
    shape,
    tags: { Bolts: 'What holds it together' },
    log: silentLog,
    metrics: createMetrics('quote', '1.2.3'),
    health: plainHealth('quote', '1.2.3', {}),
  }).use(bolts)

// Run by itself it prints its document.
if (import.meta.main) {
  const response = await docsApp('message').handle(new Request('http://localhost/swagger/json'))
  process.stdout.write(await response.text())
}
