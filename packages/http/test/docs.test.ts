import { describe, expect, test } from 'bun:test'
import { fieldWords } from '@bursar/contracts/field-words'
import { lintOpenApi } from '@bursar/testing/lint-openapi'
import { Value } from '@sinclair/typebox/value'
import { AppError, defineErrors, type ErrorShape, errorBody } from '../src'
import { errorSchemas } from '../src/errors/error-schemas'
import { docsApp } from './docs-app'
import { send } from './sample-app'

const shapes: ErrorShape[] = ['object', 'list', 'message']
const app = docsApp('message')
const document = (await send(app, 'GET', '/v1/swagger/json')).body
const at = (path: string, method: string) => document.paths[path][method]

test.each(shapes)('the document of a service with the shape %s passes both linters', async (shape) => {
  const { text, status, headers } = await send(docsApp(shape), 'GET', '/swagger/json')
  expect(status).toBe(200)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  const findings = await lintOpenApi(text)
  // Not every route can fail by the caller's fault (health), and opening a WebSocket is no success as HTTP has it.
  const known = ['operation-4xx-response', 'operation-2xx-response', 'operation-success-response']
  expect(findings.filter(({ severity, rule }) => severity === 'error' || !known.includes(rule))).toEqual([])
})

test('every route is in it, but for those that are hidden or no document can show', () => {
  const operations = Object.entries<object>(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path}`),
  )
  expect(operations.sort()).toEqual([
    'delete /bolts/{id}',
    'get /bolts',
    'get /bolts/export.csv',
    'get /bolts/stream',
    'get /bolts/{id}',
    'get /health',
    'patch /bolts/{id}',
    'post /bolts',
    'post /bolts/count',
    'post /bolts/{id}/turn-round',
  ])
})

describe('an operation', () => {
  test('has a summary, a description, tags and an id', () => {
    expect(at('/bolts/{id}/turn-round', 'post')).toMatchObject({
      operationId: 'turnBoltRound',
      summary: 'Turn a bolt round',
      description: 'By half a turn.',
      tags: ['Bolts'],
    })
    expect(document.tags).toContainEqual({ name: 'Bolts', description: 'What holds it together' })
  })

  test('query parameters with a default may be left out', () => {
    const required = at('/bolts', 'get').parameters.map(({ name, required }: never) => [name, required])
    expect(required).toEqual(['limit', 'offset', 'sortBy', 'sortOrder', 'since'].map((name) => [name, false]))
  })

  test('path parameters are told, also when a guard checks them or nobody does', () => {
    const description = fieldWords.id
    const example = '01900000-0000-7000-8000-000000000001'
    expect(at('/bolts/{id}', 'get').parameters).toEqual([
      { name: 'id', in: 'path', required: true, description, schema: { type: 'string', format: 'uuid' }, example },
    ])
    expect(at('/bolts/{id}/turn-round', 'post').parameters).toEqual([
      { name: 'id', in: 'path', required: true, description, schema: { type: 'string' } },
      { $ref: '#/components/parameters/LastingIdempotencyKey' },
    ])
  })

  test('takes its body as JSON alone', () => {
    const schema = { $ref: '#/components/schemas/NewBolt' }
    const examples = { example1: { value: { name: 'M8' } }, example2: { value: { name: 'M10', size: 40 } } }
    const content = { 'application/json': { schema, examples } }
    expect(at('/bolts', 'post').requestBody).toEqual({ required: true, content })
    expect(at('/bolts/{id}', 'patch').requestBody).toMatchObject({
      required: false,
      content: { 'application/json': { example: { size: 30 } } },
    })
  })

  test('tells every status that it answers, in the route’s own words where it has some', () => {
    const statuses = (path: string, method: string) => Object.keys(at(path, method).responses).map(Number)
    expect(statuses('/bolts', 'get')).toEqual([200, 400, 429, 500])
    expect(statuses('/bolts', 'post')).toEqual([201, 400, 409, 413, 422, 429, 500, 503])
    expect(statuses('/bolts/{id}', 'delete')).toEqual([200, 400, 404, 429, 500, 503])
    expect(statuses('/health', 'get')).toEqual([200, 429, 500, 503])
    expect(statuses('/bolts/stream', 'get')).toEqual([101, 429, 500])
    const { responses } = at('/bolts', 'post')
    const schema = { $ref: '#/components/schemas/Error' }
    expect(responses[409]).toMatchObject({
      description: 'The name is taken',
      content: { 'application/json': { schema } },
    })
    expect(responses[422]).toEqual({ $ref: '#/components/responses/UnprocessableEntity' })
  })

  test('a POST says how long its key is kept, and takes none where a repeat changes nothing', () => {
    const keyOf = (path: string) => at(path, 'post').parameters.map(({ $ref, name }: never) => $ref ?? name)
    expect(keyOf('/bolts')).toEqual(['#/components/parameters/IdempotencyKey'])
    expect(keyOf('/bolts/count')).toEqual(['X-API-KEY'])
    const { IdempotencyKey, LastingIdempotencyKey } = document.components.parameters
    expect(IdempotencyKey.description).toContain('kept for 24 hours')
    expect(LastingIdempotencyKey.description).toContain('kept forever')
    const replayed = (path: string, status: number) =>
      'idempotent-replayed' in at(path, 'post').responses[status].headers
    expect([replayed('/bolts', 201), replayed('/bolts/count', 200)]).toEqual([true, false])
    expect(Object.keys(at('/bolts/count', 'post').responses).map(Number)).toEqual([200, 400, 429, 500])
  })

  test('a field means what its schema says, else what its name means everywhere', () => {
    const { size, createdAt, maker } = document.components.schemas.Bolt.properties
    expect(size.description).toBe('In millimetres; null for an odd one')
    expect(createdAt.description).toBe(fieldWords.createdAt)
    expect(maker).toEqual({ anyOf: [{ $ref: '#/components/schemas/Maker' }, { type: 'null' }] })
  })

  test('its answer is JSON, text or nothing', () => {
    const content = (path: string, method: string, status: number) => at(path, method).responses[status].content
    expect(content('/bolts/{id}', 'get', 200)).toEqual({
      'application/json': { schema: { $ref: '#/components/schemas/Bolt' } },
    })
    expect(Object.keys(content('/bolts/export.csv', 'get', 200))).toEqual(['text/plain'])
    expect(content('/bolts/{id}/turn-round', 'post', 204)).toBeUndefined()
  })
})

test('the servers are the prefixes, the bare host and the place behind the gateway', () => {
  expect(document.servers.map(({ url }: { url: string }) => url)).toEqual(['/v1', '/', '/quote/v1'])
})

test('in production, where answers are not validated, the document is the same', async () => {
  const command = [process.execPath, '--no-env-file', `${import.meta.dir}/docs-app.ts`]
  const child = Bun.spawn(command, { env: { ...process.env, NODE_ENV: 'production' }, stderr: 'inherit' })
  expect(JSON.parse(await new Response(child.stdout).text())).toEqual(document)
})

test.each(shapes)('errors of the shape %s have the form that the document tells', (shape) => {
  const place = { requestId: 'r', path: '/x', timestamp: new Date().toISOString() }
  const errors = [
    defineErrors({ GONE: [404, 'Gone'] })('GONE'),
    new AppError('INVALID_REQUEST', 400, 'a; b', { fields: [{ field: 'a', message: 'a is wrong' }] }),
    new AppError('RATE_LIMITED', 429, 'Slow down', { details: { limit: 5 } }),
  ]
  for (const error of errors) {
    const schema = { ...errorSchemas[shape], additionalProperties: false }
    expect([...Value.Errors(schema, errorBody(shape, error, place))]).toEqual([])
  }
})

describe('the page', () => {
  test.each(['/swagger', '/v1/swagger'])('%s is HTML that may run only what comes from here', async (path) => {
    const { status, headers, text } = await send(app, 'GET', path)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toContain("script-src 'self';")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(text).not.toMatch(/https?:/)
  })

  test.each(['/', '/v1', '/v1/'])('%s leads to it', async (path) => {
    const { status, headers } = await send(app, 'GET', path)
    expect(status).toBe(302)
    const page = new URL(headers.get('location') ?? '', `http://localhost${path}`)
    expect((await send(app, 'GET', page.pathname)).headers.get('content-type')).toContain('text/html')
  })

  test('with a slash behind it, where its addresses would be wrong, it sends the browser back', async () => {
    const { status, headers } = await send(app, 'GET', '/v1/swagger/')
    expect([status, headers.get('location')]).toEqual([301, '../swagger'])
  })

  test('each file that it names is served, to be kept', async () => {
    const { text } = await send(app, 'GET', '/v1/swagger')
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file)
    expect(files).toHaveLength(4)
    for (const file of files) {
      const { status, headers, text } = await send(app, 'GET', `/v1/${file}`)
      expect([file, status, headers.get('cache-control')]).toEqual([file, 200, 'public, max-age=31536000, immutable'])
      expect(headers.get('content-type')).toMatch(/^(text\/(css|javascript); charset=utf-8|image\/png)$/)
      expect(text.length).toBeGreaterThan(100)
    }
  })

  test.each(['/swagger/package.json', '/swagger/..%2fpackage.json', '/swagger/index.js', '/swagger/%2e%2e/%2e%2e/x'])(
    'no other file is: %s',
    async (path) => {
      expect((await send(app, 'GET', path)).status).toBe(404)
    },
  )
})
