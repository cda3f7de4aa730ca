import { describe, expect, test } from 'bun:test'
import { sampleApp, send } from './sample-app'

const { app } = sampleApp('message')
const id = '018f2f3e-0000-7000-8000-000000000000'
const good = { name: 'bolt', size: 3, kind: 'a', owner: { email: 'a@b' } }

describe('names that every object inherits', () => {
  test.each(['constructor', 'toString', '__proto__', 'valueOf'])('%s is an unknown key like others', async (name) => {
    expect((await send(app, 'GET', `/v1/things?${name}=1&limit=3`)).body.pageInfo).toMatchObject({ limit: 3 })
    expect((await send(app, 'GET', `/v1/things?${name}=1&limit=x`)).body.message).toEqual(['limit must be an integer'])
  })

  test.each(['constructor', 'toString', '__proto__', 'valueOf'])('%s is an unknown field like others', async (name) => {
    const odd = `"${name}":{"a":1}`
    const text = `{${odd},"name":"bolt","size":3,"kind":"a","owner":{"email":"a@b",${odd}},"parts":[{"id":"${id}",${odd}}]}`
    const answer = await send(app, 'POST', '/v1/things', { body: text })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({ ...good, parts: [{ id }] })
  })
})

test.each(['{"toString":{}}', '{"valueOf":1,"to\\u0053tring":[]}', '[{"toString":"x"}]'])(
  '%s in place of a text is refused by its field',
  async (value) => {
    const text = `{"name":${value},"size":3,"kind":"a","owner":{"email":"a@b"}}`
    const { status, body } = await send(app, 'POST', '/v1/things', { body: text })
    expect([status, body.message]).toEqual([400, ['name must be a string']])
  },
)

describe('addresses', () => {
  test.each(['http://api/v1/things', 'http://a/things?limit=1', '/v1/things'])('%s is served', async (url) => {
    const request = new Request('http://localhost')
    Object.defineProperty(request, 'url', { value: url, configurable: true })
    const response = await app.handle(request)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ pageInfo: { total: 1 } })
  })

  test.each(['//', '/v1//', '//things', '/v1//things', '/things//'])(
    '%s is no path of ours: 404, not 405',
    async (path) => {
      expect((await send(app, 'GET', path)).status).toBe(404)
    },
  )
})

test('half a character is refused, a whole one that is written as two is taken', async () => {
  const body = (name: string) => `{"name":"${name}","size":3,"kind":"a","owner":{"email":"\\ud83d\\ude00"}}`
  const half = await send(app, 'POST', '/v1/things', { body: body('\\ud800x') })
  expect([half.status, half.body.message]).toEqual([
    400,
    'The body contains half a surrogate pair: \\ud800 to \\udfff come in pairs',
  ])
  expect((await send(app, 'POST', '/v1/things', { body: body('x') })).body).toMatchObject({ owner: { email: '😀' } })
})
