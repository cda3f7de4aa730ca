import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { readAnswer } from '@bursar/testing/service'
import { moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

let service: TestMainApi
let id: string
beforeAll(async () => {
  service = await openService()
  id = (await registered(service)).id
})
afterAll(() => service.close())

const MiB = 1024 * 1024
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const jpeg = Buffer.concat([Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'), Buffer.alloc(64)])
const pdf = (text = '') => Buffer.from(`%PDF-1.7\n%${text}\n1 0 obj\n<< >>\nendobj\ntrailer\n<< >>\n%%EOF\n`)
const sha256 = (content: Uint8Array) => new Bun.CryptoHasher('sha256').update(content).digest('hex')

interface Sent {
  path?: string
  type?: string
  name?: string
  headers?: Record<string, string>
}

/** Sends a file in a form. */
async function upload(
  content: Uint8Array<ArrayBuffer>,
  { path, type = 'LICENCE', name = 'a.pdf', headers = {} }: Sent = {},
) {
  const form = new FormData()
  form.set('type', type)
  form.set('file', new File([content], name))
  return await post(path ?? `/participants/${id}/documents`, form, headers)
}

const post = async (path: string, body: NonNullable<RequestInit['body']>, headers: Record<string, string> = {}) =>
  await readAnswer(await service.fetch(new Request(`http://localhost/v1${path}`, { method: 'POST', body, headers })))

const download = async (path: string) => await service.fetch(new Request(`http://localhost/v1${path}`))
const listed = async (path: string) => (await service.get(path)).body.data

describe.each(['/participants', '/admin/pfi'])('documents under %s', (place) => {
  const at = () => `${place}/${id}/documents`

  test('a PDF in a form is stored, listed and given back byte by byte', async () => {
    const content = pdf(place)
    const { status, body } = await upload(content, { path: at(), name: 'licence.pdf' })
    expect(status).toBe(201)
    expect(body).toEqual({
      id: body.id,
      type: 'LICENCE',
      fileName: 'licence.pdf',
      mimeType: 'application/pdf',
      size: content.length,
      sha256: sha256(content),
      status: 'RECEIVED',
      uploadedAt: body.uploadedAt,
    })
    expect(await listed(at())).toContainEqual(body)
    const answer = await download(`${at()}/${body.id}`)
    expect(answer.status).toBe(200)
    expect(Buffer.from(await answer.arrayBuffer()).equals(content)).toBe(true)
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': "attachment; filename*=UTF-8''licence.pdf",
      'x-content-type-options': 'nosniff',
      etag: `"${body.sha256}"`,
    })
  })

  test('a PNG as the body itself, described by the query', async () => {
    const answer = await post(`${at()}?type=LOGO-${place.length}&fileName=logo.PNG`, png, {
      'content-type': 'image/png',
    })
    expect([answer.status, answer.body.mimeType, answer.body.fileName]).toEqual([201, 'image/png', 'logo.PNG'])
  })

  test('404 for an unknown participant and document, 400 for an id that is not a UUID', async () => {
    const missing = `${place}/${nobody}/documents`
    expect(refused(await service.get(missing), 404).message).toBe('Participant not found')
    expect(refused(await upload(pdf(), { path: missing }), 404).message).toBe('Participant not found')
    expect(refused(await service.get(`${at()}/${nobody}`), 404).message).toBe('Document not found')
    expect(refused(await service.get(`${at()}/x`), 400).message).toBe(uuidExpected)
    expect(refused(await service.get(`${place}/x/documents`), 400).message).toBe(uuidExpected)
  })
})

test('a document of another participant is not found', async () => {
  const other = await registered(service)
  const { body } = await upload(pdf('mine'))
  expect(refused(await service.get(`/participants/${other.id}/documents/${body.id}`), 404).message).toBe(
    'Document not found',
  )
})

describe('the type of a file', () => {
  test('is found in its content: a JPEG is one, whatever its sender declares', async () => {
    const path = `/participants/${id}/documents?type=PHOTO&fileName=photo.jpeg`
    const { status, body } = await post(path, jpeg, { 'content-type': 'application/pdf' })
    expect([status, body.mimeType]).toEqual([201, 'image/jpeg'])
  })

  test.each([
    ['a PNG that says it is a PDF', png, 'a.pdf', 'The file is image/png, but its name says otherwise'],
    ['a PDF that says it is a program', pdf(), 'a.pdf.exe', 'The file is application/pdf, but its name says otherwise'],
    [
      'a program that says it is a PDF',
      Buffer.from('MZ\x90\0\x03\0\0\0'),
      'a.pdf',
      'The file is not a PDF, PNG or JPEG',
    ],
    ['a page', Buffer.from('<html><script>alert(1)</script></html>'), 'a.pdf', 'The file is not a PDF, PNG or JPEG'],
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'a.png', 'The file is not a PDF, PNG or JPEG'],
    ['a GIF', Buffer.from('GIF89a\x01\0\x01\0\0\0\0;', 'latin1'), 'a.png', 'The file is not a PDF, PNG or JPEG'],
    ['the half of a signature', png.subarray(0, 4), 'a.png', 'The file is not a PDF, PNG or JPEG'],
    ['no byte', Buffer.alloc(0), 'a.pdf', 'The file is empty'],
  ])('400 for %s', async (_, content, name, message) => {
    const before = await listed(`/participants/${id}/documents`)
    expect(refused(await upload(Buffer.from(content), { name }), 400)).toEqual({
      code: 'INVALID_REQUEST',
      message,
      details: [{ field: 'file', message }],
    })
    expect(await listed(`/participants/${id}/documents`)).toEqual(before)
  })

  test('400 naming the fields that are missing or wrong', async () => {
    const path = `/participants/${id}/documents`
    expect(refused(await post(path, pdf()), 400).message).toBe('type should not be empty; fileName should not be empty')
    expect(refused(await upload(pdf(), { type: ' ' }), 400).message).toBe('type should not be blank')
    expect(refused(await upload(pdf(), { type: 'a\nb' }), 400).message).toBe('type must not hold control characters')
    expect(refused(await upload(pdf(), { name: 'x'.repeat(256) }), 400).message).toContain('at most 255')
  })

  test('a name cannot break out of the header of its download', async () => {
    const name = '../a"; x=\'é\u2028 b%.pdf'
    const { status } = await upload(pdf('name'), { name })
    // A line separator is a control character.
    expect(status).toBe(400)
    const { body } = await upload(pdf('name'), { name: '../a"; x=\'é b%.pdf' })
    const header = (await download(`/participants/${id}/documents/${body.id}`)).headers.get('content-disposition')
    expect(header).toMatch(/^attachment; filename\*=UTF-8''[A-Za-z0-9%._~-]+$/)
  })
})

describe('the size of a file', () => {
  const big = (bytes: number) => Buffer.concat([pdf('big'), Buffer.alloc(bytes - pdf('big').length, 'x')])

  test('10 MiB are accepted, and come back whole', async () => {
    const content = big(10 * MiB)
    const { status, body } = await upload(content, { type: 'LARGE' })
    expect([status, body.size]).toEqual([201, 10 * MiB])
    const answer = await download(`/participants/${id}/documents/${body.id}`)
    expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(content))
  })

  test('413 for one byte more, and for much more', async () => {
    expect(refused(await upload(big(10 * MiB + 1)), 413)).toEqual({
      code: 'PAYLOAD_TOO_LARGE',
      message: 'The file is larger than 10 MiB',
    })
    expect(refused(await upload(big(30 * MiB)), 413).code).toBe('PAYLOAD_TOO_LARGE')
  })

  test('503 while too many uploads are running, and 201 afterwards', async () => {
    const opened: ReadableStreamDefaultController[] = []
    const slow = () => new ReadableStream({ start: (controller) => void opened.push(controller) })
    const path = `/participants/${id}/documents?type=SLOW&fileName=a.pdf`
    const waiting = Array.from({ length: 8 }, () => post(path, slow()))
    const answer = await post(path, pdf('slow'))
    expect(refused(answer, 503).code).toBe('SERVICE_UNAVAILABLE')
    expect(answer.headers.get('retry-after')).toBe('1')
    for (const controller of opened) controller.close()
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(400)
    expect((await post(path, pdf('slow'))).status).toBe(201)
  })
})

test('a participant has at most 200 documents; known ones are answered as before', async () => {
  const other = await registered(service)
  const path = `/participants/${other.id}/documents`
  const add = (text: string) => upload(pdf(text), { path })
  for (let i = 0; i < 200; i++) expect((await add(`${i}`)).status).toBe(201)
  expect(refused(await add('200'), 409).message).toBe('A participant has at most 200 documents')
  expect((await add('0')).status).toBe(200)
})

describe('the same content again', () => {
  test('for the same purpose is the existing document', async () => {
    const first = await upload(pdf('same'), { name: 'first.pdf' })
    const second = await upload(pdf('same'), { name: 'second.pdf' })
    expect([first.status, second.status, second.body]).toEqual([201, 200, first.body])
  })

  test('for another purpose, or of another participant, is a document of its own, and both can be read', async () => {
    const other = await registered(service)
    const content = pdf('shared')
    const documents = [
      [id, (await upload(content, { type: 'ONE' })).body],
      [id, (await upload(content, { type: 'TWO' })).body],
      [other.id, (await upload(content, { path: `/participants/${other.id}/documents` })).body],
    ] as const
    expect(new Set(documents.map(([, document]) => document.id)).size).toBe(3)
    for (const [owner, document] of documents) {
      const answer = await download(`/participants/${owner}/documents/${document.id}`)
      expect(sha256(new Uint8Array(await answer.arrayBuffer()))).toBe(sha256(content))
    }
  })

  test('with an Idempotency-Key is replayed; another file under it is 422', async () => {
    const headers = { 'idempotency-key': 'k-1' }
    const first = await upload(pdf('key'), { headers })
    const again = await upload(pdf('key'), { headers })
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(refused(await upload(pdf('another'), { headers }), 422).code).toBe('UNPROCESSABLE')
  })
})

test('409 for an offboarded participant, whose documents stay readable', async () => {
  const { id: gone } = await registered(service)
  const path = `/participants/${gone}/documents`
  const { body } = await upload(pdf('gone'), { path })
  await moved(service, gone, 'OFFBOARDED')
  expect(refused(await upload(pdf('late'), { path }), 409).message).toBe(
    'An offboarded participant cannot get documents',
  )
  expect((await download(`${path}/${body.id}`)).status).toBe(200)
})

test('JSON is not a file', async () => {
  const answer = await service.post(`/participants/${id}/documents?type=X&fileName=a.pdf`, { file: 'x' })
  expect(refused(answer, 400).message).toBe('The file is not a PDF, PNG or JPEG')
})
