import { expect, test } from 'bun:test'
import { eventText } from '@bursar/contracts/event'
import { Counted, envelope, Shared, secret, Unconsumed } from '../test/events'
import { fanOut, packingOnce, toJobs } from './fan-out'
import { createSigner } from './signature'

const signer = createSigner(secret)
const idsOf = (ids: string[]) =>
  toJobs(
    'quote',
    ids.map((id) => eventText({ ...envelope(Counted, { n: 1 }), id })),
    signer,
    packingOnce(),
  ).map(({ opts }) => opts.jobId)

test('sorts events by their consumers', () => {
  const [one, two, three] = [
    eventText(envelope(Counted, { n: 1 })),
    eventText(envelope(Shared, { n: 2 })),
    eventText(envelope(Unconsumed, { n: 3 })),
  ]
  const { queues, unknown } = fanOut([one, two, three, { ...one, name: 'bus-test.number.unknown' }])
  expect([...queues]).toEqual([
    ['quote', [one, two]],
    ['message', [two]],
  ])
  expect(unknown).toEqual(['bus-test.number.unknown'])
})

test('up to three events are jobs of their own, more go together, fifty to a job', () => {
  expect(idsOf(['a', 'b', 'c'])).toEqual(['a', 'b', 'c'])
  expect(idsOf(['a', 'b', 'c', 'd'])).toEqual([expect.stringMatching(/^batch-[0-9a-f]{40}$/)])
  expect(idsOf(Array.from({ length: 101 }, (_, n) => String(n)))).toHaveLength(3)
})

test('a batch is a repeat of another only when it holds the same events', () => {
  expect(idsOf(['a', 'b', 'c', 'd'])).toEqual(idsOf(['a', 'b', 'c', 'd']))
  expect(idsOf(['a', 'b', 'c', 'd'])).not.toEqual(idsOf(['a', 'x', 'b', 'c']))
})

test('queues that are given the same events are given the same text, each with its own signature', () => {
  const events = Array.from({ length: 4 }, (_, n) => envelope(Shared, { n }))
  const pack = packingOnce()
  const [one, other] = (['quote', 'message'] as const).map(
    (queue) => toJobs(queue, events.map(eventText), signer, pack)[0]?.data,
  )
  expect(one?.events).toBe(other?.events as string)
  expect(one?.mac).not.toBe(other?.mac as string)
  expect(signer.verify('message', other)).toEqual(events)
  expect(signer.verify('message', one)).toBeNull()
})
