import { beforeEach, describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import { readAnswer } from '@bursar/testing/service'
import { Elysia } from 'elysia'
import { createMetrics, currentRequest, plainHealth, readFileBody, type SentFile, service } from '../src'

const maxBytes = 2 * 1024 * 1024
let seen: SentFile | undefined
let identity: string | undefined

const app = service({
  name: 'message',
  version: '0',
  description: 'Files.',
  shape: 'object',
  log: silentLog,
  metrics: createMetrics('message', '0'),
  health: plainHealth('message', '0', { database: async () => {}, messageQueue: async () => {} }),
  files: { method: 'POST', path: /^\/things\/[^/]+\/files$/, maxBytes },
}).use(
  new Elysia()
    .post('/things/:id/files', async ({ request }) => {
      seen = await readFileBody(request, maxBytes)
      identity = currentRequest()?.body
      return { size: seen.content.length }
    })
    .post('/things', ({ body }) => body as object),
)
beforeEach(() => {
  seen = undefined
})

const send = async (path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  await readAnswer(await app.handle(new Request(`http://localhost${path}`, { method: 'POST', body, headers })))
const file = (bytes: number) => Buffer.alloc(bytes, 7)
const messageOf = (answer: { body: { error: { message: string } } }) => answer.body.error.message

/** A form with a file. */
function form(content: Uint8Array<ArrayBuffer>, fields: Record<string, string> = {}, name = 'a.pdf'): FormData {
  const data = new FormData()
  data.set('file', new File([content], name))
  for (const [field, value] of Object.entries(fields)) data.set(field, value)
  return data
}

describe('a route that takes files', () => {
  test.each(['/v1/things/1/files', '/things/1/files'])('reads the body of %s as the file itself', async (path) => {
    const answer = await send(path, file(1_500_000), { 'content-type': 'application/pdf' })
    expect([answer.status, answer.body]).toEqual([200, { size: 1_500_000 }])
    expect(seen).toEqual({ content: file(1_500_000), fileName: null, fields: {} })
  })

  test('reads a form, with its fields', async () => {
    expect((await send('/things/1/files', form(file(9), { type: 'X' }))).status).toBe(200)
    expect(seen).toEqual({ content: file(9), fileName: 'a.pdf', fields: { type: 'X' } })
  })

  test('a repeat has the same identity whatever its boundary; another file, name or field has not', async () => {
    const identityOf = async (body: FormData) => {
      await send('/things/1/files', body)
      return identity
    }
    const first = await identityOf(form(file(9), { type: 'X' }))
    expect(await identityOf(form(file(9), { type: 'X' }))).toBe(first as string)
    for (const other of [
      form(file(8), { type: 'X' }),
      form(file(9), { type: 'Y' }),
      form(file(9), { type: 'X' }, 'b'),
    ]) {
      expect(await identityOf(other)).not.toBe(first as string)
    }
  })

  test('413 for a file that is too large: as it says, as it comes, and in a form', async () => {
    const stream = new ReadableStream({
      pull(controller) {
        controller.enqueue(file(512 * 1024))
      },
    })
    expect((await send('/things/1/files', file(maxBytes))).status).toBe(200)
    for (const body of [file(maxBytes + 1), file(3 * maxBytes), stream, form(file(maxBytes + 1))]) {
      const answer = await send('/things/1/files', body)
      expect([answer.status, messageOf(answer)]).toEqual([413, expect.stringContaining('larger than 2 MiB')])
    }
  })

  test.each([
    ['no form', 'nothing of the sort', 'multipart/form-data; boundary=x'],
    ['a form without a boundary', '--x\r\n', 'multipart/form-data'],
    [
      'a cut form',
      '--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nabc',
      'multipart/form-data; boundary=x',
    ],
  ])('400 for %s', async (_, body, type) => {
    const answer = await send('/things/1/files', body, { 'content-type': type })
    expect(answer.status).toBe(400)
    expect(messageOf(answer)).toMatch(/form/)
  })

  test('400 for a form without a file', async () => {
    const data = new FormData()
    data.set('file', 'a text')
    expect(messageOf(await send('/things/1/files', data))).toBe('The form must have a file in its field `file`')
  })

  test('400 for a form with much besides its file', async () => {
    const answer = await send('/things/1/files', form(file(9), { type: 'x'.repeat(70_000) }))
    expect([answer.status, messageOf(answer)]).toEqual([400, 'The form contains too much besides its file'])
  })

  test('other routes take JSON of at most 1 MiB as before', async () => {
    expect((await send('/things', file(1_500_000), { 'content-type': 'application/json' })).status).toBe(413)
    expect((await send('/things', form(file(9)))).status).toBe(400)
    expect((await send('/things', '{"a":1}', { 'content-type': 'application/json' })).body).toEqual({ a: 1 })
  })
})
