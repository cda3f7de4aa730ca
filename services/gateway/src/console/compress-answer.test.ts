import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { compressAnswer } from './compress-answer'

const rows = JSON.stringify(Array.from({ length: 200 }, (_, id) => ({ id, status: 'COMPLETED' })))
const asked = (accepted: string | null, method = 'GET') =>
  new Request('http://localhost/console/api', {
    method,
    headers: accepted === null ? {} : { 'accept-encoding': accepted },
  })
const answered = (body: string | null, headers: Record<string, string> = {}) =>
  new Response(body, { status: 201, headers: { 'content-type': 'application/json;charset=utf-8', ...headers } })

describe('an answer to the console', () => {
  test('of JSON is packed, whole and with its own headers', async () => {
    const packed = compressAnswer(asked('gzip, br'), answered(rows, { 'x-total-count': '200', vary: 'origin' }))
    expect([packed.status, packed.headers.get('content-encoding'), packed.headers.get('vary')]).toEqual([
      201,
      'gzip',
      'origin, accept-encoding',
    ])
    expect([packed.headers.get('x-total-count'), packed.headers.get('content-length')]).toEqual(['200', null])
    const bytes = new Uint8Array(await packed.arrayBuffer())
    expect(bytes.byteLength).toBeLessThan(rows.length / 4)
    expect(gunzipSync(bytes).toString()).toBe(rows)
  })

  test.each([
    ['a browser that wants none', asked(null), answered(rows)],
    ['one that refuses it', asked('gzip;q=0, br'), answered(rows)],
    ['a HEAD', asked('gzip', 'HEAD'), answered(null)],
    ['a stream', asked('gzip'), answered(rows, { 'content-type': 'text/event-stream' })],
    ['what is packed already', asked('gzip'), answered(rows, { 'content-encoding': 'br' })],
    ['a short one', asked('gzip'), answered('{}', { 'content-length': '2' })],
  ])('stays as it is for %s', (_, request, answer) => {
    expect(compressAnswer(request, answer)).toBe(answer)
  })
})
