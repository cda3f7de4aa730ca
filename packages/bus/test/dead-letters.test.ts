import { afterAll, beforeAll, beforeEach, expect, setSystemTime, test } from 'bun:test'
import { eventText, retriableMs } from '@bursar/contracts/event'
import { type TestRedis, testRedis, until } from '@bursar/testing'
import {
  type Bus,
  connectBus,
  countDeadLetters,
  type DeadLetterBox,
  dropDeadLetters,
  listDeadLetters,
  openDeadLetters,
  retryDeadLetters,
  showDeadLetter,
} from '../src'
import { Counted, collector, envelope, keptLog, patienceMs, secret } from './events'

let redis: TestRedis
let box: DeadLetterBox
let prefix = ''
const open: { close(): Promise<void> }[] = []
const log = keptLog()

beforeAll(async () => {
  redis = await testRedis()
})
beforeEach(async () => {
  prefix = `test-${Bun.randomUUIDv7()}`
  box = await boxOf('quote')
})
afterAll(async () => {
  await Promise.all(open.map((each) => each.close()))
  await redis.stop()
})

/** An operator's connection has 5 s, which a busy machine may take longer. */
async function boxOf(service: 'quote' | 'message'): Promise<DeadLetterBox> {
  const opened = await until(() => openDeadLetters({ url: redis.url, service, prefix }))
  open.push(opened)
  return opened
}

function busOf(service: 'account' | 'quote' | 'message', options: { secret?: Uint8Array } = {}): Bus {
  const bus = connectBus({ url: redis.url, service, log, prefix, secret, patienceMs, ...options })
  open.push(bus)
  return bus
}

const deadLetters = (count: number) =>
  until(async () => (await countDeadLetters(box)) === count, { what: `${count} dead letters` })

test('a job that is not signed with the secret of the deployment goes to the dead letters at once', async () => {
  const { seen, handle } = collector()
  busOf('quote').consume(handle)
  const [forged, good] = [envelope(Counted, { n: 1 }), envelope(Counted, { n: 2 })]
  await busOf('account', { secret: new Uint8Array(32).fill(1) }).publish([forged].map(eventText))
  await busOf('account').publish([good].map(eventText))
  await deadLetters(1)
  await until(() => seen.length === 1)
  expect(seen).toEqual([good])
  const [letter] = await listDeadLetters(box, 10)
  expect(letter).toEqual({
    id: forged.id,
    name: Counted.name,
    failedAt: expect.stringMatching(/^2.*Z$/),
    attempts: 1,
    reason: expect.stringContaining('The signature does not verify'),
    events: [forged],
  })
  expect(await showDeadLetter(box, forged.id)).toMatchObject({ events: [forged] })
  expect(log.lines).toContainEqual(expect.objectContaining({ level: 'error', fields: { job: forged.id } }))
})

test('so do jobs that were altered, that were signed for another queue, and whatever else stands on the queue', async () => {
  await busOf('account').publish([envelope(Counted, { n: 1 })].map(eventText))
  const [job] = await box.queue.getWaiting()
  const data = job?.data ?? { events: '', mac: '' }
  await job?.remove()
  const other = await boxOf('message')
  const wrong: [string, unknown][] = [
    ['altered', { ...data, events: data.events.replace('"n":1', '"n":2') }],
    ['no-mac', { events: data.events }],
    ['short-mac', { ...data, mac: 'AAAA' }],
    ['bare', envelope(Counted, { n: 1 })],
    ['text', 'text'],
    ['nothing', null],
    ['list', []],
    // Their operators see them all: what is no list of events has none.
    ['number', { events: '5', mac: '' }],
    ['null', { events: 'null', mac: '' }],
    ['nulls', { events: '[null]', mac: '' }],
    ['numbers', { events: '[1, 2]', mac: '' }],
  ]
  for (const [jobId, value] of wrong) await box.queue.add('forged', value as never, { jobId })
  await other.queue.add('moved', data, { jobId: 'moved' })
  const { seen, handle } = collector()
  busOf('quote').consume(handle)
  busOf('message').consume(handle)
  await deadLetters(wrong.length)
  await until(async () => (await countDeadLetters(other)) === 1)
  expect(seen).toEqual([])
  for (const id of ['bare', 'number', 'null', 'nulls', 'numbers'])
    expect(await showDeadLetter(box, id)).toMatchObject({ events: null })
})

test('a dead letter is retried with all its attempts, and handled when its cause is gone', async () => {
  const quote = busOf('quote')
  const events = [envelope(Counted, { n: 1 }), envelope(Counted, { n: 2 })]
  await busOf('account').publish(events.map(eventText))
  // With one attempt only: the pauses between the usual ones take an hour and a half.
  for (const job of await box.queue.getWaiting()) {
    await job.remove()
    await box.queue.add(job.name, job.data, { jobId: job.id, attempts: 1 })
  }
  let broken = true
  const { seen, handle } = collector()
  quote.consume(async (event) => {
    if (broken) throw new Error('Not today')
    await handle(event)
  })
  await deadLetters(2)
  expect([await quote.depth(), await quote.deadLetters()]).toEqual([0, 2])
  expect((await listDeadLetters(box, 10)).map(({ attempts, reason }) => [attempts, reason])).toEqual([
    [1, 'Not today'],
    [1, 'Not today'],
  ])
  expect(await listDeadLetters(box, 1)).toHaveLength(1)
  broken = false
  expect(await retryDeadLetters(box, [events[0]?.id ?? '', 'unknown'])).toBe(1)
  await until(() => seen.length === 1)
  expect(seen).toEqual(events.slice(0, 1))
  expect(await showDeadLetter(box, events[0]?.id ?? '')).toBeNull()
  expect(await retryDeadLetters(box, 'all')).toBe(1)
  await until(() => seen.length === 2)
  expect(await showDeadLetter(box, 'unknown')).toBeNull()
})

test('a clock that is a year ahead deletes none when one more fails; a person drops them', async () => {
  const quote = busOf('quote')
  const data = { events: '[]', mac: '' }
  await box.queue.add('first', data, { jobId: 'first' })
  const consumer = quote.consume(collector().handle)
  await deadLetters(1)
  setSystemTime(new Date(Date.now() + 365 * 86_400_000))
  try {
    await box.queue.add('later', data, { jobId: 'later' })
    await until(async () => (await box.queue.getJobState('later')) === 'failed')
  } finally {
    setSystemTime()
  }
  expect(await countDeadLetters(box)).toBe(2)
  await consumer.close()
  await box.queue.add('waiting', data, { jobId: 'waiting' })
  expect(await dropDeadLetters(box, ['first', 'waiting', 'unknown'])).toBe(1)
  expect((await listDeadLetters(box, 10)).map(({ id }) => id)).toEqual(['later'])
  expect(await box.queue.getJobState('waiting')).toBe('waiting')
})

test('what was published more than 30 days ago is not retried: receipts are kept for 45', async () => {
  const quote = busOf('quote')
  const data = { events: '[]', mac: '' }
  const [old, young] = [retriableMs + 3_600_000, retriableMs - 3_600_000].map((ago) => Date.now() - ago)
  await box.queue.add('old', data, { jobId: 'old', timestamp: old })
  await box.queue.add('young', data, { jobId: 'young', timestamp: young })
  const consumer = quote.consume(collector().handle)
  await deadLetters(2)
  await consumer.close()
  expect([await quote.retryDeadLetter('old'), await quote.retryDeadLetter('young')]).toEqual(['expired', 'retried'])
  expect(await retryDeadLetters(box, 'all')).toBe(0)
  expect((await listDeadLetters(box, 10)).map(({ id }) => id)).toEqual(['old'])
})

test('a retry that is repeated, also at the same moment, puts a job back once', async () => {
  const quote = busOf('quote')
  const first = quote.consume(async () => {})
  const event = envelope(Counted, { n: 1 })
  await busOf('account', { secret: new Uint8Array(32).fill(1) }).publish([event].map(eventText))
  await deadLetters(1)
  await first.close()
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => quote.retryDeadLetter(event.id)))
  expect(outcomes.filter((outcome) => outcome === 'retried')).toHaveLength(1)
  expect(new Set(outcomes)).toEqual(new Set(['retried', 'pending']))
  expect([await quote.depth(), await quote.deadLetters()]).toEqual([1, 0])
  expect(await quote.retryDeadLetter(event.id)).toBe('pending')
  // Ids that are names of what the queue itself keeps are ids of nothing.
  for (const id of ['unknown', 'wait', 'failed', 'meta', 'id', ''])
    expect([id, await quote.retryDeadLetter(id)]).toEqual([id, 'missing'])
})

test('one that was handled since is done', async () => {
  const quote = busOf('quote')
  const { seen, handle } = collector()
  quote.consume(handle)
  const event = envelope(Counted, { n: 1 })
  await busOf('account').publish([event].map(eventText))
  await until(async () => seen.length === 1 && (await quote.depth()) === 0)
  expect(await quote.retryDeadLetter(event.id)).toBe('done')
  expect(seen).toHaveLength(1)
})

test('while Redis is away, asking for them rejects', async () => {
  const own = await testRedis()
  const bus = connectBus({ url: own.url, service: 'quote', log, prefix, secret, patienceMs })
  open.push(bus)
  await bus.healthy()
  await own.stop()
  await expect(bus.listDeadLetters(10)).rejects.toThrow()
  await expect(bus.retryDeadLetter('x')).rejects.toThrow()
})

test('all are retried once, also those that fail again at once', async () => {
  const first = busOf('quote').consume(async () => {})
  const forger = busOf('account', { secret: new Uint8Array(32).fill(1) })
  for (let n = 0; n < 120; n++) await forger.publish([envelope(Counted, { n })].map(eventText))
  await deadLetters(120)
  await first.close()
  expect(await retryDeadLetters(box, 'all')).toBe(120)
  const waiting = await box.queue.getWaiting(0, 200)
  expect(waiting.map(({ attemptsMade }) => attemptsMade)).toEqual(Array.from({ length: 120 }, () => 0))
  // None of them is a dead letter now.
  expect(await retryDeadLetters(box, [waiting[0]?.id ?? ''])).toBe(0)
  expect(await showDeadLetter(box, waiting[0]?.id ?? '')).toBeNull()
  busOf('quote').consume(async () => {})
  await deadLetters(120)
})

test('rejects when Redis is away', async () => {
  const away = openDeadLetters({ url: 'redis://127.0.0.1:9', service: 'quote' })
  await expect(away).rejects.toThrow('Redis is away')
})
