// An endpoint that is enabled while deliveries to it are under way.
import { expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { deliveries } from '../src/deliveries/deliveries.table'
import { endpoints } from '../src/endpoints/endpoints.table'
import { workTarget } from '../src/sending/work-target'
import { targets } from '../src/targets/targets.table'
import { receiver, testWebhooks } from './harness'

test('an endpoint that is enabled during an attempt is not paused by that: its earlier failures count no more', async () => {
  const hooks = await testWebhooks({ now: fixedClock('2026-01-31T12:00:00.000Z') })
  let isFirst = true
  const server = receiver(async () => {
    if (!isFirst) return new Response('ok')
    isFirst = false
    await hooks.post(`/webhooks/endpoints/${endpoint.id}/enable`)
    return new Response('', { status: 500 })
  })
  const endpoint = await hooks.endpoint(server.url)
  const [failing, next] = [await hooks.request(), await hooks.request()]
  // So many that the next failure pauses it for minutes.
  await hooks.store.commit(async (tx) => void (await tx.update(targets).set({ failures: 20 })))
  hooks.deliver()
  await hooks.reached(next, 'delivered')
  expect(await hooks.status(failing)).toMatchObject({ status: 'pending_retry', attemptCount: 1 })
  const [target] = await hooks.store.read.select().from(targets)
  expect(target).toMatchObject({ failures: 0, pausedUntil: null })
})

test('what waits for an endpoint that is enabled just before it would be failed is sent', async () => {
  const hooks = await testWebhooks()
  const { queue, store, now } = hooks.deps
  const endpoint = await hooks.endpoint(receiver().url)
  const waiting = await hooks.request()
  await store.commit(async (tx) => void (await tx.update(endpoints).set({ status: 'disabled' })))
  const [target] = await queue.claim(store, { now: now(), limit: 1 })
  let isEnabled = false
  const commit: typeof store.commit = async (...given) => {
    if (!isEnabled) await hooks.post(`/webhooks/endpoints/${endpoint.id}/enable`)
    isEnabled = true
    return await store.commit(...given)
  }
  const deps = { ...hooks.deps, store: { ...store, commit } }
  await workTarget(deps, target as NonNullable<typeof target>, new AbortController().signal)
  expect(await hooks.status(waiting)).toMatchObject({ status: 'delivered', lastError: null })
})

test('nor is what is old given up for the failures that it had before', async () => {
  const hooks = await testWebhooks()
  const { queue, store, now, schedule } = hooks.deps
  const endpoint = await hooks.endpoint(receiver().url)
  const waiting = await hooks.request()
  const updatedAt = new Date(now().getTime() - schedule.giveUpMs - 1)
  await store.commit(async (tx) => {
    await tx.update(targets).set({ failures: 20 })
    await tx.update(deliveries).set({ updatedAt })
  })
  const [target] = await queue.claim(store, { now: now(), limit: 1 })
  await hooks.post(`/webhooks/endpoints/${endpoint.id}/enable`)
  await workTarget(hooks.deps, target as NonNullable<typeof target>, new AbortController().signal)
  expect(await hooks.status(waiting)).toMatchObject({ status: 'delivered', lastError: null })
})

test('a delivery that arrives counts for those after it that are stored with it', async () => {
  const hooks = await testWebhooks({ now: fixedClock('2026-01-31T12:00:00.000Z') })
  let answers = 0
  const server = receiver(() => new Response('', { status: ++answers === 1 ? 200 : 500 }))
  await hooks.endpoint(server.url)
  const [first, second] = [await hooks.request(), await hooks.request()]
  // One more would pause it.
  await hooks.store.commit(async (tx) => void (await tx.update(targets).set({ failures: 20 })))
  hooks.deliver()
  // The second goes in another turn when the first takes a second.
  await until(async () => (await hooks.attempts(second)).length === 1)
  const statusOf = async (id: string) => (await hooks.status(id)).status
  expect([await statusOf(first), await statusOf(second)]).toEqual(['delivered', 'pending_retry'])
  const [after] = await hooks.store.read.select().from(targets)
  expect(after).toMatchObject({ failures: 1, pausedUntil: null })
})
