// Messages that another instance has stored reach the readers of this one.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { noSiblings, type Siblings } from '@bursar/http'
import { until } from '@bursar/testing'
import { followSiblings, logMessageConsumers } from '../src/log-messages/log-messages.consumer'
import { envelopeOf, eventReader, type TestTracker, testTracker } from './harness'

let tracker: TestTracker
beforeAll(async () => {
  tracker = await testTracker()
})
afterAll(() => tracker.close())

/** The channel between instances, of which this one is told what the other tells. */
function channel() {
  const listeners: ((text: string) => void)[] = []
  const missed: (() => void)[] = []
  const siblings: Siblings = {
    ...noSiblings,
    on: (_, heard) => void listeners.push(heard),
    onMissed: (callback) => void missed.push(callback),
  }
  const other: Siblings = {
    ...noSiblings,
    tell: (_, text = '') => {
      for (const heard of listeners) heard(text)
    },
  }
  const interrupt = () => {
    for (const callback of missed) callback()
  }
  return { siblings, other, interrupt }
}

test('a reader here gets what another instance stores; when that was interrupted it is asked to resume', async () => {
  const between = channel()
  followSiblings({ stream: tracker.stream, siblings: between.siblings })
  const elsewhere = await testTracker({}, { siblings: between.other })
  const consumers = logMessageConsumers({ ...elsewhere.deps, siblings: between.other })
  const store = async (message: string) => {
    const envelope = envelopeOf({ metadata: { message } })
    await consumers.find(({ name }) => name === envelope.name)?.handle(envelope)
  }
  const reader = eventReader(await tracker.open('/v1/log-messages/stream?service=quote'))
  await reader.next()
  await store('there')
  const lines = await reader.next()
  expect(lines.join('\n')).toContain('"message":"there"')
  expect(elsewhere.stream.readers()).toBe(0)
  between.interrupt()
  expect((await reader.next()).join('\n')).toContain('go on with Last-Event-ID')
  await until(() => tracker.stream.readers() === 0)
  expect((await tracker.open('/v1/log-messages/stream')).status).toBe(200)
  await elsewhere.close()
})
