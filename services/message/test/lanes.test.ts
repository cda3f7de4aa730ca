import { expect, test } from 'bun:test'
import { dialect } from '@bursar/store'
import { lanesTogether } from '@bursar/testing/service'
import { testMessages } from './harness'

const participantId = '018f2f3e-0000-7000-8000-0000000000aa'
const count = 64

// scripts/test --postgres, and test/postgres in each run.
test.skipIf(dialect === 'sqlite').each([
  ['without keys', () => ({})],
  ['with keys of their own', (i: number) => ({ 'idempotency-key': `key-${i}` })],
])('on a server messages that arrive together, %s, share transactions', async (_, headersOf) => {
  const service = await testMessages()
  const lanes = await lanesTogether(service.store, count, async () => {
    const sent = Array.from({ length: count }, (_, i) =>
      service.post('/messages', { type: 'TEXT', data: { text: String(i) }, participantId }, headersOf(i)),
    )
    expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(count).fill(201))
  })
  expect(lanes).toMatchObject({ bodies: count, left: 0 })
  expect(lanes.transactions).toBeLessThan(count / 4)
  await service.close()
})
