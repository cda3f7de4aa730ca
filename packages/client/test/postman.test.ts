import { expect, test } from 'bun:test'
import type { Operation } from '../build/gateway-document'
import { postmanCollection } from '../build/postman'

const responses = {}
const IdempotencyKey = { name: 'Idempotency-Key', in: 'header' }

/** The only request of a collection of this operation. */
function requestOf(path: string, method: string, operation: Omit<Operation, 'responses'>) {
  const document = {
    paths: { [path]: { [method]: { responses, tags: ['core: Assets'], ...operation } } },
    components: {
      parameters: { IdempotencyKey },
      schemas: { Upload: { properties: { file: { format: 'binary' }, kind: {} } } },
    },
  }
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  return (postmanCollection(document) as any).item[0].item[0].item[0]
}

test('ids are variables of the path, with their examples; what is optional is off', () => {
  const parameters = [
    { name: 'id', in: 'path', required: true, example: '019' },
    { name: 'from', in: 'query', required: true },
    { name: 'limit', in: 'query', required: false, example: 10 },
  ]
  const { name, request } = requestOf('/core/v1/assets/{id}/history', 'get', { summary: 'Get it', parameters })
  expect([name, request.method, request.body]).toEqual(['Get it', 'GET', undefined])
  expect(request.url).toMatchObject({
    raw: '{{baseUrl}}/core/v1/assets/:id/history',
    path: ['core', 'v1', 'assets', ':id', 'history'],
    variable: [{ key: 'id', value: '019' }],
    query: [
      { key: 'from', value: '', disabled: false },
      { key: 'limit', value: '10', disabled: true },
    ],
  })
})

test('a body is its first example, under a key of its own where the route takes one', () => {
  const content = { 'application/json': { examples: { one: { value: { a: 1 } }, two: { value: { b: 2 } } } } }
  const parameters = [{ $ref: '#/components/parameters/IdempotencyKey' }]
  const { request } = requestOf('/core/v1/assets', 'post', { parameters, requestBody: { content } })
  expect(JSON.parse(request.body.raw)).toEqual({ a: 1 })
  expect(request.header).toEqual([
    { key: 'Idempotency-Key', value: '{{$guid}}' },
    { key: 'Content-Type', value: 'application/json' },
  ])
})

test('a form has its fields and files', () => {
  const content = { 'multipart/form-data': { schema: { $ref: '#/components/schemas/Upload' } } }
  const { request } = requestOf('/main/v1/documents', 'post', { requestBody: { content } })
  expect(request.body).toEqual({
    mode: 'formdata',
    formdata: [
      { key: 'file', type: 'file' },
      { key: 'kind', type: 'text' },
    ],
  })
  expect(request.header).toEqual([])
})

test.each([
  ['nothing', [], 'noauth', []],
  ['a token', [{ accessToken: [] }], 'bearer', []],
  ['a token or a key', [{ accessToken: [] }, { apiKey: [] }], 'noauth', ['X-API-KEY']],
  ['a token, with a key or without', [{ accessToken: [] }, { accessToken: [], apiKey: [] }], 'bearer', ['X-API-KEY']],
])('an operation for %s', (_, security, type, headers) => {
  const { request } = requestOf('/core/v1/assets', 'get', { security })
  expect(request.auth.type).toBe(type)
  expect(request.header.map(({ key }: { key: string }) => key)).toEqual(headers)
})

test('a log-in keeps its token for the requests after it, and no other request does', () => {
  const { event } = requestOf('/identity/v1/auth/login', 'post', {})
  expect(event[0].script.exec.join('\n')).toContain("pm.collectionVariables.set('accessToken', data.accessToken)")
  expect(requestOf('/identity/v1/auth/logout', 'post', {}).event).toBeUndefined()
})
