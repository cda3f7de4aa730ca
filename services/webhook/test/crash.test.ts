import { expect, spyOn, test } from 'bun:test'
import { join } from 'node:path'
import { dialect } from '@bursar/store'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { targets } from '../src/targets/targets.table'
import { never, participantId, receiver, testWebhooks } from './harness'

/** As if the lease of a dead worker had ended: it takes half a minute, for an attempt may take a quarter. */
async function endLeases(dataDir: string): Promise<void> {
  const hooks = await testWebhooks({ dataDir })
  const past = { dueAt: new Date(0), leasedUntil: new Date(0) }
  await hooks.store.commit(async (tx) => void (await tx.update(targets).set(past)))
  await hooks.close()
}

/** The processes have files, and so must this one, which writes to them. */
const onFiles = test.skipIf(dialect !== 'sqlite')

onFiles('after a worker is killed in mid-delivery, the next one repeats it with the same webhook-id', async () => {
  const redis = await testRedis()
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/v1/webhooks`
  const dataDir = tempDir()
  const start = () =>
    Bun.spawn([process.execPath, join(import.meta.dir, '../src/main.ts')], {
      env: {
        PATH: process.env.PATH ?? '',
        DATA_DIR: dataDir,
        REDIS_URL: redis.url,
        WEBHOOK_PORT: String(port),
        OUTBOUND_ALLOW: '127.0.0.1',
        LOG_LEVEL: 'silent',
      },
      stdout: 'ignore',
      stderr: 'inherit',
    })
  const isUp = () => fetch(`http://127.0.0.1:${port}/health`).then(({ ok }) => ok)
  const post = async (path: string, body?: object) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(base + path, { method: 'POST', headers, body: body && JSON.stringify(body) })
    return (await answer.json()) as Record<string, string>
  }
  const to = receiver(never)
  let running = start()
  try {
    await until(isUp, { what: 'the service to start' })
    const made = await post('/endpoints', { participantId, url: to.url })
    const { requestId } = await post(`/endpoints/${made.id}/test`)
    await until(() => to.requests.length === 1)
    running.kill('SIGKILL')
    await running.exited
    await endLeases(dataDir)
    to.answer(() => new Response('ok'))
    running = start()
    const state = async () => {
      const record = (await (await fetch(`${base}/delivery/status/${requestId}`)).json()) as Record<string, unknown>
      return record.status === 'delivered' && record
    }
    const record = await until(state, { what: 'the delivery' })
    expect(record).toMatchObject({ attemptCount: 1, httpStatus: 200 })
    const ids = to.requests.map(({ headers }) => headers.get('webhook-id'))
    expect(ids).toEqual([String(record.deliveryId), String(record.deliveryId)])
    expect(to.requests[0]?.body).toBe(to.requests[1]?.body ?? '')
  } finally {
    running.kill('SIGKILL')
    await running.exited
    await redis.stop()
  }
})

test('a stopping service aborts a hanging delivery, which is sent again', async () => {
  const hooks = await testWebhooks()
  const to = receiver(never)
  await hooks.endpoint(to.url)
  const worker = hooks.deliver()
  const id = await hooks.request()
  await until(() => to.requests.length === 1)
  await worker.stop()
  expect(await hooks.status(id)).toMatchObject({ status: 'pending_retry', attemptCount: 0 })
  to.answer(() => new Response('ok'))
  hooks.deliver()
  await hooks.reached(id, 'delivered')
  const [first, second] = to.requests.map(({ headers }) => headers.get('webhook-id'))
  expect(first).toBe(second ?? '')
})

test('a stopping service waits for a receiver that answers', async () => {
  const hooks = await testWebhooks()
  const answer = Promise.withResolvers<Response>()
  const to = receiver(() => answer.promise)
  await hooks.endpoint(to.url)
  const worker = hooks.deliver()
  const [first, second] = [await hooks.request(), await hooks.request()]
  await until(() => to.requests.length === 1)
  // The grace period does not end before a slow machine has carried the answer over.
  const { setTimeout } = globalThis
  const later = ((work: () => void) => setTimeout(work, 60_000)) as typeof setTimeout
  const timers = spyOn(globalThis, 'setTimeout').mockImplementation(later)
  const stopped = worker.stop()
  timers.mockRestore()
  answer.resolve(new Response('ok'))
  await stopped
  expect(await hooks.status(first)).toMatchObject({ status: 'delivered', attemptCount: 1 })
  expect(await hooks.status(second)).toMatchObject({ status: 'pending_retry', attemptCount: 0 })
})
