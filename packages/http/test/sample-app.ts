import { silentLog } from '@bursar/contracts/log'
import { nullable, oneOf, optional, t, text, uuid } from '@bursar/contracts/schema'
import { Elysia } from 'elysia'
import {
  createMetrics,
  defineErrors,
  type ErrorShape,
  page,
  pageOf,
  pageQuery,
  plainHealth,
  queryBoolean,
  queryTime,
  queryUuid,
  response,
  service,
} from '../src'

export const fail = defineErrors({
  OUT_OF_STOCK: [409, 'There are none left'],
  ALL_FAILED: [503, 'Every source failed'],
})

const Thing = t.Object({ id: uuid(), name: t.String() })
const NewThing = t.Object({
  name: text(5),
  size: t.Integer({ minimum: 0, maximum: 9 }),
  price: t.Optional(nullable(t.Number({ exclusiveMinimum: 0 }))),
  kind: oneOf(['a', 'b']),
  owner: t.Object({ email: t.String() }),
  parts: t.Optional(t.Array(t.Object({ id: uuid() }))),
  note: t.Optional(nullable(text(9))),
  code: optional(t.String({ minLength: 2, maxLength: 3 })),
  lines: t.Optional(t.Array(t.Object({ id: optional(uuid()) }))),
})
const query = t.Object({
  ...pageQuery({ sortBy: ['name', 'size'], defaultSort: 'name', defaultOrder: 'desc' }),
  since: t.Optional(queryTime()),
  isDefault: t.Optional(queryBoolean()),
  ownerId: t.Optional(queryUuid()),
})

const things = new Elysia({ prefix: '/things' })
  .get('/', ({ query }) => page([query], query, 1), { query, response: { 200: response(pageOf(t.Any())) } })
  .post('/', ({ body, status }) => status(201, body), { body: NewThing })
  .get('/:id', ({ params }) => ({ id: params.id, name: 'x' }), {
    params: t.Object({ id: uuid() }),
    response: { 200: response(Thing) },
  })
  .put('/:id', () => ({ id: 'no uuid' }) as never, { response: { 200: response(Thing) } })
  .delete('/:id', () => {
    throw fail('OUT_OF_STOCK')
  })
  .patch('/:id', () => {
    throw fail('ALL_FAILED', { details: { kraken: 'timed out' } })
  })
  .post('/:id/break', () => {
    throw new Error('password=hunter2')
  })

/** A service with one of everything, for the tests of what all services share. */
export function sampleApp(shape: ErrorShape, checks = {}) {
  const failures: string[] = []
  const app = service({
    name: 'sample',
    version: '1.2.3',
    description: 'A sample.',
    shape,
    prefixes: ['/sample/v1', '/v1'],
    log: silentLog,
    metrics: createMetrics('sample', '1.2.3'),
    health: plainHealth('sample', '1.2.3', checks),
    onFailure: (error) => failures.push(error.message),
    hosts: ['api', 'a'],
  }).use(things)
  return { app, failures }
}

/** Sends a request and reads the response. A string goes as it is, anything else as JSON. */
export async function send(
  app: { handle(request: Request): Promise<Response> },
  method: string,
  path: string,
  options: { body?: unknown; headers?: Record<string, string> } = {},
) {
  const { body, headers = { 'content-type': 'application/json' } } = options
  const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
  const response = await app.handle(new Request(`http://localhost${path}`, { method, headers, body: text }))
  const answered = await response.text()
  const isJson = answered !== '' && /json/.test(response.headers.get('content-type') ?? '')
  const json = isJson ? JSON.parse(answered) : undefined
  return { status: response.status, headers: response.headers, text: answered, body: json }
}
