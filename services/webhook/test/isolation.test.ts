import { describe, expect, test } from 'bun:test'
import { sealedHeaders } from '@bursar/contracts/webhook'
import { openReadOnly } from '@bursar/store'
import { fixedClock, until } from '@bursar/testing'
import { queueReads } from '../src/deliveries/queue'
import { addSendingGauges } from '../src/sending/gauges'
import { never, receiver, requested, testWebhooks } from './harness'

/** Counts what is under way at receivers, all together. */
function gauge() {
  const counted = { now: 0, most: 0 }
  const during = async (work: () => Promise<Response>) => {
    counted.now += 1
    counted.most = Math.max(counted.most, counted.now)
    try {
      return await work()
    } finally {
      counted.now -= 1
    }
  }
  return { counted, during }
}

const bodyOf = (i: number) => ({ type: 'x', timestamp: '2026-01-31T12:00:00Z', data: { i } })
const numbers = ({ requests }: { requests: { body: string }[] }): number[] =>
  requests.map(({ body }) => JSON.parse(body).data.i)
const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

test('an endpoint gets its deliveries one at a time, in the order of their events', async () => {
  const hooks = await testWebhooks()
  const { counted, during } = gauge()
  const to = receiver(() => during(async () => new Response('ok')))
  await hooks.endpoint(to.url)
  for (const i of upTo(120)) await hooks.request({ payload: bodyOf(i) })
  hooks.deliver()
  await until(() => to.requests.length === 120)
  expect(numbers(to)).toEqual(upTo(120))
  expect(counted.most).toBe(1)
})

test('the order is that of the events, not of arrival', async () => {
  const hooks = await testWebhooks()
  const to = receiver()
  await hooks.endpoint(to.url)
  const envelopes = upTo(20).map((i) => requested({ payload: bodyOf(i) }))
  for (const envelope of envelopes.toReversed()) await hooks.consume(envelope)
  hooks.deliver()
  await until(() => to.requests.length === 20)
  expect(numbers(to)).toEqual(upTo(20))
})

test('two workers on one database send nothing twice', async () => {
  const hooks = await testWebhooks()
  const { counted, during } = gauge()
  const to = receiver(() => during(async () => new Response('ok')))
  await hooks.endpoint(to.url)
  for (const i of upTo(120)) await hooks.request({ payload: bodyOf(i) })
  const workers = [hooks.deliver(), hooks.deliver()]
  const pending = async () => (await hooks.get('/webhooks/delivery/pending-retries')).body.count
  await until(async () => (await pending()) === 0 && workers.every((worker) => worker.idle?.()))
  expect(numbers(to)).toEqual(upTo(120))
  expect(counted.most).toBe(1)
})

test('while one of ten hangs, the others get all of theirs', async () => {
  const hooks = await testWebhooks({ env: { WEBHOOK_CONCURRENCY: '3', WEBHOOK_TIMEOUT_MS: '60000' } })
  const hanging = receiver(never)
  const others = upTo(9).map(() => receiver())
  await hooks.endpoint(hanging.url)
  for (const each of others) await hooks.endpoint(each.url)
  for (const i of upTo(30)) await hooks.request({ payload: bodyOf(i) })
  hooks.deliver()
  await until(() => others.every(({ requests }) => requests.length === 30))
  for (const each of others) expect(numbers(each)).toEqual(upTo(30))
  expect(numbers(hanging)).toEqual([0])
})

test('a success is recorded while the next delivery hangs', async () => {
  const hooks = await testWebhooks()
  const to = receiver(() => (to.requests.length === 1 ? new Response('ok') : never()))
  await hooks.endpoint(to.url)
  const first = await hooks.request()
  await hooks.request()
  hooks.deliver()
  await until(() => to.requests.length === 2)
  await hooks.reached(first, 'delivered')
})

test('at most WEBHOOK_CONCURRENCY deliveries run at a time', async () => {
  const hooks = await testWebhooks({ env: { WEBHOOK_CONCURRENCY: '3' } })
  const { counted, during } = gauge()
  const gate = Promise.withResolvers<void>()
  const receivers = upTo(8).map(() =>
    receiver(() =>
      during(async () => {
        await gate.promise
        return new Response('ok')
      }),
    ),
  )
  for (const each of receivers) await hooks.endpoint(each.url)
  await hooks.request()
  const worker = hooks.deliver()
  await until(() => counted.now === 3)
  await worker.wake()
  expect(counted.now).toBe(3)
  gate.resolve()
  await until(() => receivers.every(({ requests }) => requests.length === 1))
  expect(counted.most).toBe(3)
})

test('slow endpoints get at most half of the places', async () => {
  const clock = fixedClock('2026-01-31T12:00:00.000Z')
  const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_CONCURRENCY: '4', WEBHOOK_TIMEOUT_MS: '60000' } })
  const refusal = () => new Response(null, { status: 500 })
  const failing = receiver(refusal)
  for (const i of upTo(6)) await hooks.endpoint(`${failing.url}/${i}`, { eventTypes: ['payment.created'] })
  // One delivery each: a machine that stands still makes a receiver slow.
  const good = receiver()
  for (const i of upTo(12)) await hooks.endpoint(`${good.url}/${i}`, { eventTypes: ['payment.executed'] })
  await hooks.request({ eventType: 'payment.created' })
  const worker = hooks.deliver()
  // Every one of them has failed once.
  await until(() => failing.requests.length === 6 && worker.idle?.())
  const { counted, during } = gauge()
  const gate = Promise.withResolvers<void>()
  failing.answer(() => during(() => gate.promise.then(refusal)))
  clock.advance(6000)
  await worker.wake()
  await until(() => counted.now === 2)
  await hooks.request({ eventType: 'payment.executed' })
  await until(() => good.requests.length === 12)
  expect(counted).toEqual({ now: 2, most: 2 })
  gate.resolve()
  await until(() => failing.requests.length === 12 && worker.idle?.())
  expect(counted.most).toBe(2)
})

describe('an endpoint that keeps failing', () => {
  const start = '2026-01-31T12:00:00.000Z'

  test('is paused for longer and longer, probed with one delivery, and gets the rest once it answers', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    for (const i of upTo(60)) await hooks.request({ payload: bodyOf(i) })
    const worker = hooks.deliver()
    const quiet = async () => {
      await worker.wake()
      await until(() => worker.idle?.())
    }
    await until(() => to.requests.length === 5)
    await quiet()
    expect(numbers(to)).toEqual(upTo(5))
    for (const [waitMs, attempts] of [
      [4999, 5],
      [1, 6],
      [9999, 6],
      [1, 7],
      [19_999, 7],
    ] as const) {
      clock.advance(waitMs)
      await quiet()
      expect(to.requests).toHaveLength(attempts)
    }
    to.answer(() => new Response('ok'))
    clock.advance(1)
    await worker.wake()
    const seen = to.requests.length
    await until(async () => to.requests.length === seen + 58 || to.requests.length >= 65)
    const pending = async () => (await hooks.get('/webhooks/delivery/pending-retries')).body.deliveries
    await until(async () => (await pending()).length <= 2 && worker.idle?.())
    const after = numbers(to).slice(7)
    expect(after).toEqual(after.toSorted((a, b) => a - b))
    // What was tried twice waits for its second retry.
    for (const { attemptCount } of await pending()) expect(attemptCount).toBe(2)
    clock.advance(400_000)
    await worker.wake()
    await until(async () => (await pending()).length === 0)
    expect([...new Set(numbers(to))]).toHaveLength(60)
  })

  test('counts as paused also while it is tried again, until it takes a delivery', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    addSendingGauges(hooks.deps)
    const figures = () => hooks.deps.metrics.figures()
    const paused = async () => (await figures()).bursar_webhook_paused_targets
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    for (const i of upTo(6)) await hooks.request({ payload: bodyOf(i) })
    expect(await figures()).toMatchObject({ bursar_webhook_pending: 6, bursar_webhook_paused_targets: 0 })
    const worker = hooks.deliver()
    await until(() => to.requests.length === 5 && worker.idle?.())
    expect(await paused()).toBe(1)
    const gate = Promise.withResolvers<void>()
    to.answer(() => gate.promise.then(() => new Response('ok')))
    clock.advance(5000)
    await worker.wake()
    await until(() => to.requests.length === 6)
    expect(await paused()).toBe(1)
    gate.resolve()
    await until(async () => (await paused()) === 0)
  })

  test('with successes in between is not paused', async () => {
    const hooks = await testWebhooks({ now: fixedClock(start) })
    const to = receiver(() => new Response(null, { status: to.requests.length % 5 === 0 ? 200 : 500 }))
    await hooks.endpoint(to.url)
    for (const i of upTo(20)) await hooks.request({ payload: bodyOf(i) })
    hooks.deliver()
    await until(() => to.requests.length === 20)
    expect(numbers(to)).toEqual(upTo(20))
  })

  test('for longer than the schedule: its waiting deliveries fail, and are recorded', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '1h' } })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    const old: string[] = []
    for (const i of upTo(10)) old.push(await hooks.request({ payload: bodyOf(i) }))
    const worker = hooks.deliver()
    await until(() => to.requests.length === 5 && worker.idle?.())
    clock.advance(25 * 3_600_000)
    const young = await hooks.request({ payload: bodyOf(99) })
    await worker.wake()
    for (const id of old) {
      expect((await hooks.reached(id, 'failed')).lastError).toMatch(/^gave up/)
    }
    await until(() => to.requests.length === 6)
    expect(numbers(to)).toEqual([...upTo(5), 99])
    expect(await hooks.status(young)).toMatchObject({ status: 'pending_retry' })
  })

  test('is sent an old delivery that is replayed, when it was never better since', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock, env: { WEBHOOK_RETRY_SCHEDULE: '1h' } })
    const to = receiver(() => new Response(null, { status: 500 }))
    await hooks.endpoint(to.url)
    const [id = ''] = await Promise.all(upTo(10).map((i) => hooks.request({ payload: bodyOf(i) })))
    const worker = hooks.deliver()
    await until(() => to.requests.length === 5 && worker.idle?.())
    clock.advance(25 * 3_600_000)
    await worker.wake()
    const { deliveryId } = await hooks.reached(id, 'failed')
    to.answer(() => new Response('ok'))
    await hooks.post(`/webhooks/delivery/${deliveryId}/replay`)
    expect(await hooks.reached(id, 'delivered')).toMatchObject({ attemptCount: 1 })
  })
})

test('no statement of a target’s queue reads deliveries that have ended', async () => {
  const hooks = await testWebhooks()
  const file = openReadOnly(hooks.file)
  for (const statement of Object.values(queueReads)) {
    const { sql } = statement(hooks.store.read).toSQL()
    const [plan] = file.rows(`explain query plan ${sql}`).map(({ detail }) => String(detail))
    expect(plan).toMatch(/INDEX deliveries_queue \(target_id=\? AND status=\?/)
  }
  file.close()
})

test('an institution whose headers a shared fallback URL refuses does not pause it for others', async () => {
  const hooks = await testWebhooks({ env: { WEBHOOK_RETRY_SCHEDULE: '1h' } })
  const to = receiver(({ headers }) => new Response(null, { status: headers.has('authorization') ? 401 : 200 }))
  hooks.deliver()
  for (const i of upTo(5)) {
    const requestId = `refused-${i}`
    const headers = hooks.deps.sealFor(sealedHeaders).seal('{"authorization":"Bearer x"}', requestId)
    await hooks.request({ requestId, headers, fallbackUrl: to.url })
    await until(async () => (await hooks.status(requestId)).attemptCount === 1)
  }
  for (const other of [Bun.randomUUIDv7(), null]) {
    await hooks.reached(await hooks.request({ participantId: other, fallbackUrl: to.url }), 'delivered')
  }
})
