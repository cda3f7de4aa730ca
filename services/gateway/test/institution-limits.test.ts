// What an institution may have under way, whichever of its keys and users ask.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { openGateway, refused, type TestGateway } from './harness'
import { echo } from './peers'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await openGateway({ RATE_LIMIT_LISTS: '2' })
})
afterAll(() => gateway?.close())

test('an institution with many keys has twice as many lists at a time as a caller, and leaves those of others alone', async () => {
  const [many, other] = [Bun.randomUUIDv7(), Bun.randomUUIDv7()]
  const keys = Array.from({ length: 3 }, (_, i) => `sk_test_many_${i}`)
  for (const key of keys) gateway.main.issue(key, { participantId: many })
  gateway.main.issue('sk_test_few', { participantId: other })
  const waiting: (() => void)[] = []
  gateway.core.answer(() => new Promise((resolve) => waiting.push(() => resolve(Response.json([])))))
  const list = (key: string | undefined) => gateway.get('/core/v1/transactions', { 'x-api-key': key ?? '' })
  const held = [0, 0, 1, 1].map((i) => list(keys[i]))
  await until(() => waiting.length === 4, { what: 'four lists to arrive' })
  expect(refused(await list(keys[2]), 429).code).toBe('RATE_LIMITED')
  held.push(list('sk_test_few'))
  await until(() => waiting.length === 5, { what: 'the list of another institution to arrive' })
  for (const answer of waiting.splice(0)) answer()
  expect((await Promise.all(held)).map(({ status }) => status)).toEqual(Array(5).fill(200))
  gateway.core.answer(echo)
  expect((await list(keys[2])).status).toBe(200)
})
