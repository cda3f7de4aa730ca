import { expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { readReady } from '../src/deliveries/queue'
import { deliveryOfRequest, failedDeliveries } from '../src/deliveries/read-deliveries'
import { never, participantId, receiver, testWebhooks } from './harness'

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
