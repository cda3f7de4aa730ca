import { afterEach, beforeEach, expect, test } from 'bun:test'
import type { Worker } from '@bursar/store'
import { until } from '@bursar/testing'
import { balances } from '../src/bookkeeping/balances.table'
import { unsealed } from '../src/bookkeeping/read-journal'
import { type Ledger, openLedger } from './harness'
import { depositOf, getTransaction, make, makeBench, screen } from './steps'

/** The service with its workers, as it runs. */
let ledger: Ledger
let workers: readonly Worker[]
beforeEach(async () => {
  ledger = await openLedger({ tuning: { auditMs: 10 } })
  workers = ledger.startWorkers()
})
afterEach(async () => {
  await stop()
  await ledger.close()
})
const stop = () => Promise.all(workers.map((worker) => worker.stop()))

test('carries out what is approved, and seals it', async () => {
  const bench = await makeBench(ledger, '0')
  const { id } = await make(ledger, 'deposit', depositOf(bench))
  await screen(ledger, id, true)
  await until(async () => (await getTransaction(ledger, id)).status === 'COMPLETED')
  await until(async () => (await unsealed(ledger.store.read)) === 0)
})

test('a stop ends all its workers: nothing is carried out any more', async () => {
  const bench = await makeBench(ledger, '0')
  const { id } = await make(ledger, 'deposit', depositOf(bench))
  await stop()
  await screen(ledger, id, true)
  ledger.deps.execution.wake()
  await ledger.events()
  expect((await getTransaction(ledger, id)).status).toBe('APPROVED')
})

test('a difference that the audit finds makes it unhealthy', async () => {
  expect((await ledger.ask('GET', '/health')).status).toBe(200)
  await makeBench(ledger, '5')
  await ledger.store.commit(async (tx) => void (await tx.update(balances).set({ available: 1n })))
  const sick = await until(async () => {
    const answer = await ledger.ask('GET', '/health')
    return answer.status === 503 && answer
  })
  expect(sick.body.error).toMatch(/^audit: /)
})
