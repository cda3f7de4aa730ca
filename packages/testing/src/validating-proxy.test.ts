import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type LocalServer, localServer } from './local-server'
import { type ValidatingProxy, validatingProxy } from './validating-proxy'

const json = (schema: object) => ({ content: { 'application/json': { schema } } })
const thing = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } }
const document = {
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  paths: {
    '/things': {
      post: {
        operationId: 'makeThing',
        requestBody: { required: true, ...json(thing) },
        responses: { 201: { description: 'Made', ...json(thing) } },
      },
    },
  },
}

let service: LocalServer
let proxy: ValidatingProxy
let answer: Response

beforeAll(async () => {
  service = localServer((request) => (request.url.endsWith('/swagger/json') ? Response.json(document) : answer))
  proxy = await validatingProxy(service.url)
})
afterAll(async () => {
  await proxy.stop()
  await service.stop()
})

async function send(body: object, to = '/v1/things') {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(proxy.url + to, { method: 'POST', headers, body: JSON.stringify(body) })
  return { status: response.status, text: await response.text() }
}

test('what the document says passes, both ways', async () => {
  answer = Response.json({ name: 'a' }, { status: 201 })
  expect(await send({ name: 'a' })).toEqual({ status: 201, text: '{"name":"a"}' })
})

test.each([
  ['a request that breaks its schema', { name: 1 }, '/v1/things', 201, { name: 'a' }],
  ['an answer that breaks its schema', { name: 'a' }, '/v1/things', 201, { name: 7 }],
  ['an answer of a status that is not in the document', { name: 'a' }, '/v1/things', 202, { name: 'a' }],
  ['a path that is not in the document', { name: 'a' }, '/v1/others', 201, { name: 'a' }],
])('%s is answered with an error', async (_what, body, path, status, answered) => {
  answer = Response.json(answered, { status })
  const { status: given, text } = await send(body, path)
  expect(given).toBeGreaterThanOrEqual(400)
  expect(text).toContain('prism/errors')
})
