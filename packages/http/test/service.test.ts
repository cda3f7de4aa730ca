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

describe('body', () => {
  test('unknown fields are dropped', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, junk: 1, owner: { email: 'a@b', x: 1 } } })
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual(good)
  })

  test('every wrong field at once; nothing is converted', async () => {
    const body = { name: 5, size: '1', price: 0, kind: 'c', owner: {}, parts: [{ id: 'x' }] }
    const answer = await send(app, 'POST', '/v1/things', { body })
    expect(answer.status).toBe(400)
    expect(answer.body).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: [
        'name must be a string',
        'size must be an integer',
        'price must be greater than 0 or null',
        'kind must be one of the following values: a, b',
        'owner.email should not be empty',
        'parts.0.id must be a UUID',
      ],
    })
  })

  test('no body and an empty object name each required field', async () => {
    const message = [
      'name should not be empty',
      'size must be an integer',
      'kind must be one of the following values: a, b',
      'owner must be an object',
    ]
    expect((await send(app, 'POST', '/v1/things', { body: {} })).body.message).toEqual(message)
    expect((await send(app, 'POST', '/v1/things', { headers: {} })).body.message).toEqual(message)
  })

  test.each(['', {}, { length: 0 }, { 0: { id: 'x' } }, 'ab', 7])('%j is no list', async (parts) => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, parts } })
    expect(answer.body.message).toEqual(['parts must be an array'])
  })

  test.each([[], 'ab', 7, null])('%j is no object', async (owner) => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, owner } })
    expect(answer.body.message).toEqual(['owner must be an object'])
  })

  test('lengths and bounds', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, name: 'abcdef', size: 10 } })
    expect(answer.body.message).toEqual(['name must be at most 5 characters long', 'size must not be greater than 9'])
  })

  test.each(['[]', 'null', '"x"', '1'])('%s is no object', async (body) => {
    expect((await send(app, 'POST', '/v1/things', { body })).body.message).toEqual(['body must be an object'])
  })

  test('malformed JSON', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: '{"name":' })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('The body is not valid JSON')
  })

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    '%s is not taken',
    async (type) => {
      const answer = await send(app, 'POST', '/v1/things', { body: '{}', headers: { 'content-type': type } })
      expect(answer.status).toBe(400)
      expect(answer.body.message).toBe('Content-Type must be application/json')
    },
  )

  test('nested beyond reason', async () => {
    const deep = `{"parts":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const answer = await send(app, 'POST', '/v1/things', { body: deep })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('The body is nested more than 64 levels deep')
    const brackets = { ...good, junk: '[{'.repeat(5000) }
    expect((await send(app, 'POST', '/v1/things', { body: brackets })).status).toBe(201)
  })

  test.each([
    [64, 201],
    [65, 400],
  ])('%d levels deep', async (levels, status) => {
    // The object itself is a level, and the padding makes the text long enough to be looked at.
    const deep = `{"name":"bolt","size":3,"kind":"a","owner":{"email":"${'x'.repeat(5000)}"},"junk":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await send(app, 'POST', '/v1/things', { body: deep })).status).toBe(status)
  })

  test.each([
    [50_000, 201],
    [50_001, 400],
  ])('of %d values', async (values, status) => {
    // The good fields are five of them.
    const body = { ...good, junk: Array.from({ length: values - 4 }, () => 1) }
    const answer = await send(app, 'POST', '/v1/things', { body })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.message).toBe('The body holds more than 50,000 values')
  })

  test('of exactly 1 MiB is taken; one byte more is refused with the request’s id', async () => {
    const body = (bytes: number) => {
      const empty = JSON.stringify({ ...good, junk: '' })
      return JSON.stringify({ ...good, junk: 'x'.repeat(bytes - empty.length) })
    }
    const post = (bytes: number) =>
      send(app, 'POST', '/v1/things', {
        body: body(bytes),
        headers: { 'content-type': 'application/json', 'content-length': String(bytes), 'x-request-id': 'large-1' },
      })
    expect((await post(1024 * 1024)).status).toBe(201)
    const refused = await post(1024 * 1024 + 1)
    expect([refused.status, refused.headers.get('x-request-id')]).toEqual([413, 'large-1'])
  })

  test('JSON with a charset or a +json type is taken', async () => {
    for (const type of ['application/json; charset=utf-8', 'application/vnd.x+json']) {
      expect((await send(app, 'POST', '/v1/things', { body: good, headers: { 'content-type': type } })).status).toBe(
        201,
      )
    }
  })

  test('over 1 MiB, with and without a stated size', async () => {
    const body = JSON.stringify({ ...good, junk: 'x'.repeat(1024 * 1024) })
    const stated = { 'content-type': 'application/json', 'content-length': String(body.length) }
    expect((await send(app, 'POST', '/v1/things', { body, headers: stated })).status).toBe(413)
    const stream = new Blob([body]).stream()
    const headers = { 'content-type': 'application/json' }
    const response = await app.handle(
      new Request('http://localhost/v1/things', { method: 'POST', body: stream, headers }),
    )
    expect(response.status).toBe(413)
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
    expect(answer.body.message).toContain('it takes GET, HEAD, POST')
  })

  test('HEAD answers as GET without a body', async () => {
    const answer = await send(app, 'HEAD', `/v1/things/${id}`)
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('')
  })
})
