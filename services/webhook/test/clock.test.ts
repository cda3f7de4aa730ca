import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { retireOld, updateBy } from '@bursar/store'
import { fixedClock, tempDir, until } from '@bursar/testing'
import { attempts, deliveries } from '../src/deliveries/deliveries.table'
import { retainedFailures, retainedSuccesses } from '../src/deliveries/retention'
import { receiver, testWebhooks, type Webhooks } from './harness'

const start = '2026-01-31T12:00:00.000Z'
const dayMs = 86_400_000
const replayed = updateBy(deliveries, 'id', ['status'])

/** The targets that a worker takes, which dies then. Its clock may be ahead. */
async function leased({ deps: { queue, store, now } }: Webhooks, aheadMs = 0): Promise<string[]> {
  const taken = await queue.claim(store, { now: new Date(now().getTime() + aheadMs), limit: 10 })
  return taken.map(({ id }) => id)
}

describe('a clock that was a year ahead, and is right again', () => {
  test('strands no retry', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    clock.advance(365 * dayMs)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await until(async () => (await hooks.attempts(id)).length === 1 && worker.idle?.())
    clock.set(start)
    to.answer(() => new Response('ok'))
    await worker.wake()
    await hooks.reached(id, 'delivered')
  })

  test('strands no paused target', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    clock.advance(365 * dayMs)
    const worker = hooks.deliver()
    const ids = await Promise.all(Array.from({ length: 8 }, () => hooks.request()))
    await until(() => to.requests.length === 5 && worker.idle?.())
    clock.set(start)
    to.answer(() => new Response('ok'))
    const late = await hooks.request()
    await worker.wake()
    for (const id of [...ids, late]) await hooks.reached(id, 'delivered')
  })

  test('strands no lease of a worker that died', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const to = receiver()
    const made = await hooks.endpoint(to.url)
    const id = await hooks.request()
    clock.advance(365 * dayMs)
    expect(await leased(hooks)).toEqual([made.id])
    clock.set(start)
    hooks.deliver()
    await hooks.reached(id, 'delivered')
  })
})

test('the lease of a dead worker is waited for, and no longer', async () => {
  const clock = fixedClock(start)
  const hooks = await testWebhooks({ now: clock })
  const to = receiver()
  const made = await hooks.endpoint(to.url)
  const id = await hooks.request()
  expect(await leased(hooks)).toEqual([made.id])
  expect(await leased(hooks)).toEqual([])
  const worker = hooks.deliver()
  clock.advance(hooks.deps.queue.leaseMs - 1)
  await worker.wake()
  await until(() => worker.idle?.())
  expect(to.requests).toHaveLength(0)
  clock.advance(1)
  await worker.wake()
  await hooks.reached(id, 'delivered')
})

test('a worker that lost its lease writes nothing', async () => {
  const clock = fixedClock(start)
  const hooks = await testWebhooks({ now: clock })
  const answer = Promise.withResolvers<Response>()
  const to = receiver(() => answer.promise)
  const made = await hooks.endpoint(to.url)
  const worker = hooks.deliver()
  const id = await hooks.request()
  await until(() => to.requests.length === 1)
  // For the worker itself the lease has not ended: it might take it again first.
  expect(await leased(hooks, hooks.deps.queue.leaseMs)).toEqual([made.id])
  answer.resolve(new Response('ok'))
  await until(() => worker.idle?.())
  expect(await hooks.status(id)).toMatchObject({ status: 'pending_retry', attemptCount: 0 })
  expect(await hooks.attempts(id)).toEqual([])
  to.answer(() => new Response('ok'))
  clock.advance(2 * hooks.deps.queue.leaseMs)
  await worker.wake()
  expect(await hooks.reached(id, 'delivered')).toMatchObject({ attemptCount: 1 })
})

test('each retry follows the schedule, and after the last one the delivery has failed', async () => {
  const clock = fixedClock(start)
  const hooks = await testWebhooks({ now: clock })
  const to = receiver(() => new Response(null, { status: 500 }))
  await hooks.endpoint(to.url)
  const worker = hooks.deliver()
  const id = await hooks.request()
  const attempted = (count: number) => until(async () => (await hooks.attempts(id)).length === count && worker.idle?.())
  await attempted(1)
  const seconds = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [retry, delay] of seconds.entries()) {
    clock.advance(delay * 800 - 1)
    await worker.wake()
    await until(() => worker.idle?.())
    expect(to.requests).toHaveLength(retry + 1)
    clock.advance(delay * 400 + 1)
    await worker.wake()
    await attempted(retry + 2)
  }
  expect(await hooks.status(id)).toMatchObject({ status: 'failed', attemptCount: 10, maxRetries: 9 })
  clock.advance(30 * dayMs)
  await worker.wake()
  await until(() => worker.idle?.())
  expect(to.requests).toHaveLength(10)
})

test('failed deliveries go to the archive after WEBHOOK_FAILED_RETENTION_DAYS, with their attempts and without headers', async () => {
  const clock = fixedClock(start)
  const folder = tempDir()
  const env = { WEBHOOK_FAILED_RETENTION_DAYS: '2', ARCHIVE_DIR: folder }
  const hooks = await testWebhooks({ now: clock, env })
  const to = receiver(() => new Response('no', { status: 410 }))
  // Each has a receiver of its own: after a 410 an endpoint gets nothing more.
  await hooks.endpoint(to.url, { eventTypes: ['payment.accepted'] })
  await hooks.endpoint(`${to.url}/other`, { eventTypes: ['payment.cancelled'] })
  const worker = hooks.deliver()
  const [gone, sentAgain] = [
    await hooks.request({ eventType: 'payment.accepted' }),
    await hooks.request({ eventType: 'payment.cancelled' }),
  ]
  await until(() => worker.idle?.())
  const { deliveryId } = await hooks.status(gone)
  expect(await hooks.status(gone)).toMatchObject({ status: 'failed', attemptCount: 1 })
  await hooks.reached(sentAgain, 'failed')
  clock.advance(3 * dayMs)
  // The one is sent again between its reading and its deletion.
  const meanwhile: typeof retainedFailures = {
    ...retainedFailures,
    async oldest(db, given) {
      const rows = await retainedFailures.oldest(db, given)
      const { id } = rows.find(({ requestId }) => requestId === sentAgain) ?? { id: '' }
      await hooks.store.commit((tx) => replayed(tx).execute({ id, status: 'pending_retry' }))
      return rows
    },
  }
  const { store, config, now } = hooks.deps
  await retireOld([{ retained: meanwhile, days: config.failedRetentionDays }], {
    store,
    now,
    folder: config.archiveDir,
  })
  expect((await hooks.get(`/webhooks/delivery/status/${gone}`)).status).toBe(404)
  expect(await hooks.status(sentAgain)).toMatchObject({ status: 'pending_retry' })
  const left = await hooks.store.read.select().from(attempts)
  expect([left.length, left[0]?.deliveryId === deliveryId]).toEqual([1, false])
  const [file = ''] = [...new Bun.Glob('webhook/deliveries/*/*.jsonl.gz').scanSync({ cwd: folder })]
  const text = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes())).toString()
  const [first] = text.split('\n').map((line) => JSON.parse(line || 'null'))
  expect([first.requestId, first.attempts.length, first.attempts[0].httpStatus]).toEqual([gone, 1, 410])
  expect(Object.keys(first)).not.toContain('headers')
})

test('successful deliveries are kept for WEBHOOK_RETENTION_DAYS with their attempts, failed ones longer', async () => {
  const clock = fixedClock(start)
  const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETENTION_DAYS: '2' } })
  const to = receiver()
  await hooks.endpoint(to.url, { eventTypes: ['payment.accepted'] })
  const worker = hooks.deliver()
  const old: string[] = []
  for (let i = 0; i < 210; i++) old.push(await hooks.request({ eventType: 'payment.accepted' }))
  const failed = await hooks.request({ eventType: 'payment.cancelled' })
  await until(() => to.requests.length === 210 && worker.idle?.())
  const { deliveryId } = await hooks.status(old[0] ?? '')
  clock.advance(dayMs)
  const young = await hooks.request({ eventType: 'payment.accepted' })
  await hooks.reached(young, 'delivered')
  clock.advance(dayMs)
  const retire = () => retireOld([{ retained: retainedSuccesses, days: 2 }], { ...hooks.deps, folder: null })
  await retire()
  expect(await hooks.status(old[0] ?? '')).toMatchObject({ status: 'delivered' })
  clock.advance(1)
  await retire()
  for (const id of old) expect((await hooks.get(`/webhooks/delivery/status/${id}`)).status).toBe(404)
  const kept = await hooks.store.read.select().from(attempts)
  expect(kept).toHaveLength(1)
  expect(kept[0]?.deliveryId).not.toBe(String(deliveryId))
  expect(await hooks.status(failed)).toMatchObject({ status: 'failed' })
  expect(await hooks.status(young)).toMatchObject({ status: 'delivered' })
})

describe('an old delivery that is sent again', () => {
  const env = { WEBHOOK_RETRY_SCHEDULE: '1ms' }
  const retire = ({ deps }: Webhooks, retained: typeof retainedFailures | typeof retainedSuccesses) =>
    retireOld([{ retained: retained as typeof retainedFailures, days: 2 }], { ...deps, folder: null })
  const replay = async (hooks: Webhooks, requestId: string) =>
    await hooks.post(`/webhooks/delivery/${(await hooks.status(requestId)).deliveryId}/replay`)

  /** A delivery that failed three days ago. */
  async function failedLongAgo() {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock, env })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    const worker = hooks.deliver()
    const id = await hooks.request()
    await until(() => to.requests.length === 1 && worker.idle?.())
    clock.advance(2)
    await worker.wake()
    await hooks.reached(id, 'failed')
    clock.advance(3 * dayMs)
    return { hooks, clock, to, worker, id }
  }

  test('and succeeds is kept for as long from then on', async () => {
    const { hooks, clock, to, id } = await failedLongAgo()
    to.answer(() => new Response('ok'))
    await replay(hooks, id)
    await hooks.reached(id, 'delivered')
    await retire(hooks, retainedSuccesses)
    expect(await hooks.status(id)).toMatchObject({ status: 'delivered' })
    clock.advance(2 * dayMs + 1)
    await retire(hooks, retainedSuccesses)
    expect((await hooks.get(`/webhooks/delivery/status/${id}`)).status).toBe(404)
  })

  test('and fails is kept for as long from then on', async () => {
    const { hooks, clock, worker, id } = await failedLongAgo()
    await replay(hooks, id)
    await until(async () => (await hooks.attempts(id)).length === 3 && worker.idle?.())
    clock.advance(2)
    await worker.wake()
    await hooks.reached(id, 'failed')
    await retire(hooks, retainedFailures)
    expect(await hooks.status(id)).toMatchObject({ status: 'failed' })
    clock.advance(2 * dayMs + 1)
    await retire(hooks, retainedFailures)
    expect((await hooks.get(`/webhooks/delivery/status/${id}`)).status).toBe(404)
  })

  test('and fails again while the archive is written stays: the archive has not its new attempts', async () => {
    const { hooks, clock, worker, id } = await failedLongAgo()
    const meanwhile: typeof retainedFailures = {
      ...retainedFailures,
      async oldest(db, given) {
        const rows = await retainedFailures.oldest(db, given)
        await replay(hooks, id)
        await until(async () => (await hooks.attempts(id)).length === 3 && worker.idle?.())
        clock.advance(2)
        await worker.wake()
        await hooks.reached(id, 'failed')
        return rows
      },
    }
    await retire(hooks, meanwhile)
    expect(await hooks.status(id)).toMatchObject({ status: 'failed' })
    expect(await hooks.attempts(id)).toHaveLength(4)
  })
})
