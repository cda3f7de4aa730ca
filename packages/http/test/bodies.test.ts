import { describe, expect, test } from 'bun:test'
import { sampleApp, send } from './sample-app'

const { app } = sampleApp('message')
const good = { name: 'bolt', size: 3, kind: 'a', owner: { email: 'a@b' } }

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

  test.each([
    ['🏦', 'code must be at least 2 characters long'],
    ['🏦🏦🏦🏦', 'code must be at most 3 characters long'],
  ])('a limit counts characters: %s', async (code, message) => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, code } })
    expect(answer.body.message).toEqual([message])
    expect((await send(app, 'POST', '/v1/things', { body: { ...good, code: '🏦🏦🏦' } })).status).toBe(201)
  })

  test.each(['[]', 'null', '"x"', '1'])('%s is no object', async (body) => {
    expect((await send(app, 'POST', '/v1/things', { body })).body.message).toEqual(['body must be an object'])
  })

  test('malformed JSON', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: '{"name":' })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('The body is not valid JSON')
  })

  // The whole bytes, with their length or in chunks; every other field is good.
  const posted = async (name: readonly number[], headers: Record<string, string>) => {
    const [before = '', after = ''] = JSON.stringify({ ...good, name: '|' }).split('|')
    const bytes = new Uint8Array([...Buffer.from(before), ...name, ...Buffer.from(after)])
    const sent = headers['content-length'] === '' ? { ...headers, 'content-length': String(bytes.length) } : headers
    const body = new Blob([bytes]).stream()
    const request = new Request('http://localhost/v1/things', { method: 'POST', body, headers: sent })
    const answer = await app.handle(request)
    return { status: answer.status, body: (await answer.json()) as { name?: string; message?: unknown } }
  }
  const json = { 'content-type': 'application/json' }
  const sized = { ...json, 'content-length': '' }

  test.each([json, sized])('bytes that are no UTF-8: nothing is made up in their place, %j', async (headers) => {
    // Latin-1, the first three bytes of four, an overlong form, half a surrogate pair.
    for (const bytes of [[0xfc], [0xf0, 0x9f, 0x92], [0xc0, 0xaf], [0xed, 0xa0, 0x80]]) {
      const answer = await posted(bytes, headers)
      expect([answer.status, answer.body.message]).toEqual([400, 'The body is not valid UTF-8'])
    }
  })

  test.each([json, sized])('UTF-8 is kept as it is, the replacement character too, %j', async (headers) => {
    const answer = await posted([...Buffer.from('ü💶\ufffd')], headers)
    expect([answer.status, answer.body.name]).toEqual([201, 'ü💶\ufffd'])
  })

  test.each([json, sized])('a byte order mark in front is no part of the text, %j', async (headers) => {
    const bytes = new Uint8Array([0xef, 0xbb, 0xbf, ...Buffer.from(JSON.stringify(good))])
    const body = new Blob([bytes]).stream()
    const all = headers === sized ? { ...headers, 'content-length': String(bytes.length) } : headers
    const request = new Request('http://localhost/v1/things', { method: 'POST', body, headers: all })
    expect((await app.handle(request)).status).toBe(201)
  })

  test('what is wrong with a field that may be null', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, note: '', price: 'x' } })
    expect(answer.body.message).toEqual(['price must be a number or null', 'note should not be empty'])
    const line = await send(app, 'POST', '/v1/things', { body: { ...good, note: 'a\nb' } })
    expect(line.body.message).toEqual(['note must not hold control characters'])
    expect((await send(app, 'POST', '/v1/things', { body: { ...good, note: null } })).status).toBe(201)
  })

  test('null for an optional field that answers show as null means absent', async () => {
    const answer = await send(app, 'POST', '/v1/things', { body: { ...good, code: null, lines: [{ id: null }, {}] } })
    expect([answer.status, answer.body]).toEqual([201, { ...good, lines: [{}, {}] }])
    const other = await send(app, 'POST', '/v1/things', { body: { ...good, parts: null } })
    expect(other.body.message).toEqual(['parts must be an array'])
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
    [62, 201],
    [64, 201],
    [65, 400],
    [600, 400],
  ])('short, and %d levels deep', async (levels, status) => {
    const text = JSON.stringify(good)
    const deep = `${text.slice(0, -1)},"junk":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`
    expect((await send(app, 'POST', '/v1/things', { body: deep })).status).toBe(status)
    // In turns, as lists of objects are.
    const pairs = (levels - 1) >> 1
    const inTurns = `${text.slice(0, -1)},"junk":${'[{"a":'.repeat(pairs)}[[]]${'}]'.repeat(pairs)}}`
    expect((await send(app, 'POST', '/v1/things', { body: inTurns })).status).toBe(pairs * 2 + 3 > 64 ? 400 : 201)
    const inText = { ...good, junk: '[{'.repeat(levels) }
    expect((await send(app, 'POST', '/v1/things', { body: inText })).status).toBe(201)
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
    [20_000, 201],
    [20_001, 400],
  ])('of %d values', async (values, status) => {
    // The good fields are five of them.
    const body = { ...good, junk: Array.from({ length: values - 4 }, () => 1) }
    const answer = await send(app, 'POST', '/v1/things', { body })
    expect(answer.status).toBe(status)
    if (status === 400) expect(answer.body.message).toBe('The body holds more than 20,000 values')
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
