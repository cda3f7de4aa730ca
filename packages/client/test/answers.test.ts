import { afterEach, expect, test } from 'bun:test'
import type { LocalServer } from '@bursar/testing'
import { clientOf, gateway } from './gateway'

let server: LocalServer
afterEach(() => server?.stop())

test('an export is the text as it came', async () => {
  const csv = 'id,amount\r\n1,0.10\r\n'
  server = gateway(() => new Response(csv, { headers: { 'content-type': 'text/csv; charset=utf-8; header=present' } }))
  const { data, attempts } = await clientOf(server.url).send('get', '/core/v1/transactions/export')
  const text: string = data
  expect([text, attempts]).toEqual([csv, 1])
})

test('a document is its bytes', async () => {
  const bytes = Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0xff, 0x00)
  server = gateway(() => new Response(bytes, { headers: { 'content-type': 'application/pdf' } }))
  const params = { path: { id: 'a', documentId: 'd' } }
  const file: Blob = await clientOf(server.url).get('/main/v1/participants/{id}/documents/{documentId}', { params })
  expect([await file.bytes(), file.type]).toEqual([bytes, 'application/pdf'])
})
