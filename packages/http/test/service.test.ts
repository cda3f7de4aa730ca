import { describe, expect, test } from 'bun:test'
import { sampleApp, send } from './sample-app'

const { app } = sampleApp('message')
const id = '018f2f3e-0000-7000-8000-000000000000'
const good = { name: 'bolt', size: 3, kind: 'a', owner: { email: 'a@b' } }

describe('prefix', () => {
  test.each(['/things', '/v1/things', '/sample/v1/things', '/v1/things?limit=5', '/things/'])(
    '%s is served',
    async (path) => {
      expect((await send(app, 'GET', path)).status).toBe(200)
    },
  )

  test.each(['/v1things', '/v2/things', '/v1/v1/things', '/sample/things'])('%s is not', async (path) => {
    expect((await send(app, 'GET', path)).status).toBe(404)
  })
})

describe('query', () => {
  const asked = async (search: string) => (await send(app, 'GET', `/v1/things${search}`)).body

  test('defaults', async () => {
    expect((await asked('')).data).toEqual([{ limit: 10, offset: 0, sortBy: 'name', sortOrder: 'desc' }])
  })

  test('values are read, unknown keys ignored', async () => {
    const { data, pageInfo } = await asked(
      '?limit=0&offset=7&sortBy=size&sortOrder=asc&since=2026-01-02&isDefault=false&x=1',
    )
    expect(data).toEqual([
      { limit: 0, offset: 7, sortBy: 'size', sortOrder: 'asc', since: '2026-01-02T00:00:00.000Z', isDefault: false },
    ])
    expect(pageInfo).toEqual({ limit: 0, offset: 7, total: 1 })
  })

  test('a time without a zone is UTC, one with a zone is converted', async () => {
    expect((await asked('?since=2026-01-02T03:04:05')).data[0].since).toBe('2026-01-02T03:04:05.000Z')
    expect((await asked(`?since=${encodeURIComponent('2026-01-02T03:04:05+02:00')}`)).data[0].since).toBe(
      '2026-01-02T01:04:05.000Z',
    )
  })

  test.each(['abc', '1e1', '0x1', '%201', '', '1.5', '1e999', '99999999999999999999'])(
    'limit=%s is no number',
    async (value) => {
      const answer = await send(app, 'GET', `/v1/things?limit=${value}`)
      expect(answer.status).toBe(400)
      expect(answer.body.message).toEqual(['limit must be an integer'])
    },
  )

  test('bounds', async () => {
    expect((await asked('?limit=100')).pageInfo.limit).toBe(100)
    expect((await asked('?limit=101')).message).toEqual(['limit must not be greater than 100'])
    expect((await asked('?limit=-1')).message).toEqual(['limit must not be less than 0'])
  })

  test('all that is wrong at once, in the order of the schema', async () => {
    expect((await asked('?ownerId=1&since=soon&isDefault=1&sortOrder=up&sortBy=x&offset=-1&limit=z')).message).toEqual([
      'limit must be an integer',
      'offset must not be less than 0',
      'sortBy must be one of the following values: name, size',
      'sortOrder must be one of the following values: asc, desc',
      'since must be a valid ISO 8601 date string',
      'isDefault must be true or false',
      'ownerId must be a UUID',
    ])
  })

  test('a day that does not exist is no date', async () => {
    expect((await asked('?since=2026-02-30')).message).toEqual(['since must be a valid ISO 8601 date string'])
  })
})

describe('UUIDs', () => {
  const upper = '018F2F3E-0000-7000-8000-00000000000A'
  const lower = upper.toLowerCase()

  test('are taken in either case, in the path, the query and the body', async () => {
    expect((await send(app, 'GET', `/v1/things/${upper}`)).body).toEqual({ id: lower, name: 'x' })
    expect((await send(app, 'GET', `/v1/things?ownerId=${upper}`)).body.data[0].ownerId).toBe(lower)
    const made = await send(app, 'POST', '/v1/things', { body: { ...good, parts: [{ id: upper }] } })
    expect(made.body).toEqual({ ...good, parts: [{ id: lower }] })
  })
})

describe('paths', () => {
  test('an id that is no UUID', async () => {
    const answer = await send(app, 'GET', '/v1/things/1')
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Validation failed (uuid is expected)')
    const broken = await send(app, 'GET', '/v1/things/%E0%A4%A')
    expect(broken.status).toBe(400)
    expect(broken.body.message).toBe('Validation failed (uuid is expected)')
  })

  test('an unknown route is 404 in the service’s shape', async () => {
    const answer = await send(app, 'GET', '/v1/nothing')
    expect(answer.body).toMatchObject({
      statusCode: 404,
      error: 'Not Found',
      message: 'Cannot GET /nothing',
      path: '/v1/nothing',
    })
  })

  test('a known route with another method is 405 with Allow', async () => {
    const answer = await send(app, 'PUT', '/v1/things')
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST')
    expect(answer.body.message).toContain('it supports GET, HEAD, POST')
  })

  test('HEAD answers as GET without a body', async () => {
    const answer = await send(app, 'HEAD', `/v1/things/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
  })

  test.each([`/v1/things/${id}`, '/v1/things/ü', '/v1/nothing', '/v1/things?since=x'])(
    'HEAD %s has the length of what GET answers, in bytes',
    async (path) => {
      const whole = await send(app, 'GET', path)
      const head = await send(app, 'HEAD', path)
      expect([head.status, head.headers.get('content-type')]).toEqual([whole.status, whole.headers.get('content-type')])
      expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(whole.text))
    },
  )
})
