// Commits of screenings on a server, where those without a key in common share a transaction.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { dialect } from '@bursar/store'
import { lanesTogether } from '@bursar/testing/service'
import { type TestSanctions, testSanctions } from './harness'

// scripts/test --postgres, and test/postgres in each run.
const onServer = test.skipIf(dialect === 'sqlite')
const count = 32
const address = (i: number) => `0x${String(i).padStart(40, '0')}`

let service: TestSanctions
beforeAll(async () => {
  service = await testSanctions()
})
afterAll(() => service.close())

const together = async (ask: (i: number) => Promise<{ status: number }>) => {
  let statuses: number[] = []
  const lanes = await lanesTogether(service.store, count, async () => {
    const answers = await Promise.all(Array.from({ length: count }, (_, i) => ask(i)))
    statuses = answers.map(({ status }) => status)
  })
  return { statuses, lanes }
}
const request = (i: number) => ({ externalId: `job-${i}`, address: address(i), blockchain: 'ethereum' })

onServer('jobs that are asked for together share transactions', async () => {
  const { statuses, lanes } = await together((i) =>
    service.post('/sanctions/verify-address', request(i), { 'idempotency-key': `key-${i}` }),
  )
  expect(statuses).toEqual(Array(count).fill(202))
  expect(lanes).toMatchObject({ bodies: count, left: 0 })
  expect(lanes.transactions).toBeLessThan(count / 4)
})

onServer('of two with one name one is made', async () => {
  const { statuses, lanes } = await together((i) =>
    service.post('/sanctions/verify-address', { ...request(i), externalId: `name-${i % (count / 2)}` }),
  )
  expect(statuses.toSorted()).toEqual([...Array(count / 2).fill(202), ...Array(count / 2).fill(409)])
  expect(lanes.transactions).toBeGreaterThan(0)
})

onServer(
  'addresses that are screened together are watched in shared transactions, one that several name once',
  async () => {
    const { statuses, lanes } = await together((i) =>
      service.post(
        '/sanctions/verify-address/sync',
        { address: address(1000 + (i >> 1)), blockchain: 'ethereum' },
        { 'idempotency-key': `watch-${i}` },
      ),
    )
    expect(statuses).toEqual(Array(count).fill(200))
    expect(lanes).toMatchObject({ bodies: count, left: 0 })
    expect(lanes.transactions).toBeLessThan(count / 4)
  },
)
