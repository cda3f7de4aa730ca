import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import { retireOld } from '@bursar/store'
import { fixedClock, tempDir, until } from '@bursar/testing'
import { attempts, deliveries } from '../src/deliveries/deliveries.table'
import { readReady } from '../src/deliveries/queue'
import { deliveryOfRequest, failedDeliveries } from '../src/deliveries/read-deliveries'
import { retainedFailures } from '../src/deliveries/retention'
import { never, participantId, receiver, testWebhooks, type Webhooks } from './harness'

const payload = { text: 'x'.repeat(1000) }

// Twenty endpoints of a participant, each with fifty deliveries of a megabyte ready, took more than a gigabyte.
test('of what waits nothing is read but the body that is being sent', async () => {
  const hooks = await testWebhooks()
  const { store } = hooks
  const to = receiver(never)
  const { id } = await hooks.endpoint(to.url)
  const asked = [await hooks.request({ payload }), await hooks.request({ payload })]
  hooks.deliver()
  await until(() => to.requests.length === 1)
  const ready = await readReady(store.read, id, 50)
  expect(ready.map(({ requestId }) => requestId)).toEqual(asked)
  for (const row of ready) expect(Object.keys(row)).not.toContain('body')
  const [first] = to.requests
  expect(JSON.parse(first?.body ?? '')).toEqual(payload)
})

test('lists of deliveries do not read what was sent', async () => {
  const hooks = await testWebhooks()
  const { store } = hooks
  const requestId = await hooks.request({ payload })
  const rows = [
    await deliveryOfRequest(store.read, requestId, null),
    ...(await failedDeliveries(store.read, participantId, 50)),
  ]
  expect(rows.map((row) => row.requestId)).toEqual([requestId, requestId])
  for (const row of rows) expect(Object.keys(row)).not.toContain('body')
})

describe('failed deliveries are read and archived a few at a time', () => {
  const start = '2026-01-31T12:00:00.000Z'
  const threeDays = 3 * 86_400_000

  /** The requests in each file of the archive. */
  async function archivedBy({ deps }: Webhooks) {
    const folder = tempDir()
    await retireOld([{ retained: retainedFailures, days: 2 }], { ...deps, folder })
    const files = [...new Bun.Glob('deliveries/*/*.jsonl.gz').scanSync({ cwd: folder })].sort()
    return await Promise.all(
      files.map(async (file) => {
        const lines = Buffer.from(Bun.gunzipSync(await Bun.file(join(folder, file)).bytes()))
          .toString()
          .trimEnd()
        return lines.split('\n').map((line) => JSON.parse(line).requestId)
      }),
    )
  }

  test('with long bodies', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const long = { text: 'x'.repeat(1_000_000) }
    const made: string[] = []
    // Without an endpoint they fail at once.
    for (let n = 0; n < 6; n++) made.push(await hooks.request({ payload: long }))
    clock.advance(threeDays)
    expect(await archivedBy(hooks)).toEqual([made.slice(0, 4), made.slice(4)])
    expect(await hooks.store.read.select({ id: deliveries.id }).from(deliveries)).toEqual([])
  })

  test('with the answers to many attempts', async () => {
    const clock = fixedClock(start)
    const hooks = await testWebhooks({ now: clock })
    const made = [await hooks.request(), await hooks.request(), await hooks.request()]
    for (const requestId of made) {
      const { deliveryId } = await hooks.status(requestId)
      const attempt = { deliveryId: String(deliveryId), startedAt: clock(), durationMs: 1, answer: 'x'.repeat(1000) }
      const all = Array.from({ length: 1500 }, () => ({ ...attempt, id: Bun.randomUUIDv7() }))
      await hooks.store.commit(async (tx) => void (await tx.insert(attempts).values(all)))
    }
    clock.advance(threeDays)
    expect(await archivedBy(hooks)).toEqual([made.slice(0, 1), made.slice(1, 2), made.slice(2)])
    expect(await hooks.store.read.select({ id: attempts.id }).from(attempts)).toEqual([])
  })
})
