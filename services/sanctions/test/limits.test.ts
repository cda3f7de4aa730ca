// Screenings that would take too long, or have too much to look at.
import { afterAll, beforeAll, expect, spyOn, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { type LocalServer, localServer } from '@bursar/testing'
import { screenTransaction } from '../src/screening/screen-transaction'
import type { Source } from '../src/sources/source'
import { clean, refused, runDue, type TestSanctions, testSanctions } from './harness'

let chain: LocalServer
let service: TestSanctions
beforeAll(async () => {
  chain = localServer(() => new Response('not set', { status: 500 }))
  service = await testSanctions({ urls: { blockchain: chain.url } })
})
afterAll(async () => {
  await service.close()
  await chain.stop()
})

test('a job whose source does not answer within half its lease is tried again: another worker may have it by then', async () => {
  const asked = { externalId: 'slow-1', address: clean.eth, blockchain: 'ethereum' }
  const { jobId } = (await service.post('/sanctions/verify-address', asked)).body
  const deaf: Source = { provider: 'deaf', isHere: false, covers: () => true, ask: () => new Promise(() => {}) }
  const { setTimeout: set } = globalThis
  const soon = ((work: () => void, ms?: number) => set(work, ms === 30_000 ? 0 : ms)) as typeof setTimeout
  const timers = spyOn(globalThis, 'setTimeout').mockImplementation(soon)
  await runDue({ ...service.deps, sources: [deaf] })
  timers.mockRestore()
  const error = 'The screening took too long'
  expect((await service.get(`/sanctions/jobs/${jobId}`)).body).toMatchObject({ status: 'pending', attempts: 1, error })
})

test('a transaction of more than 5,000 parties is refused rather than screened in part: 503', async () => {
  const address = (i: number) => `0x${i.toString(16).padStart(40, '0')}`
  const to = Array.from({ length: 5000 }, (_, i) => address(i))
  const txHash = `0x${'ab'.repeat(32)}`
  const verify = async (from: string[]) => {
    chain.answer(() => Response.json({ network: 'ethereum', txHash, from, to }))
    return await service.post('/sanctions/verify-transaction/sync', { transactionId: txHash, blockchain: 'ethereum' })
  }
  // One that pays itself as well is one party.
  expect((await verify([address(7)])).body.sources[0].details.parties).toHaveLength(5000)
  expect(refused(await verify([clean.eth]), 503)).toEqual([
    'The transaction has 5001 parties: it cannot be screened by them',
  ])
})

test('while thousands of parties are screened other requests are answered', async () => {
  const to = Array.from({ length: 1000 }, (_, i) => `T${i}`)
  const client = { call: async () => ({ from: [], to }) } as unknown as Client
  let turns = 0
  let isDone = false
  const count = () => {
    turns += 1
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await screenTransaction({ ...service.deps, client }, { transactionId: '0xab', blockchain: 'ethereum' })
  isDone = true
  expect(turns).toBeGreaterThan(100)
})
