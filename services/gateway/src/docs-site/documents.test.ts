import { expect, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { createDocuments } from './documents'

test('a document that has not changed is the same object, however often it is asked for', async () => {
  let [summary, asked, now] = ['one', 0, 0]
  const call = async () => {
    asked += 1
    return { paths: { '/things': { get: { summary, responses: {} } } }, components: {} }
  }
  const documents = createDocuments({ call } as unknown as Client, () => now)
  const first = await documents.of('quote')
  now += 60_000
  expect(await documents.of('quote')).toBe(first)
  expect(asked).toBe(2)
  summary = 'two'
  now += 60_000
  const other = await documents.of('quote')
  expect(other).toMatchObject({ paths: { '/things': { get: { summary } } } })
  expect([await documents.of('quote'), asked]).toEqual([other, 3])
})
