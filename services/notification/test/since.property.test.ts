import { expect, test } from 'bun:test'
import { fixedClock, tempDir } from '@bursar/testing'
import fc from 'fast-check'
import type { Event, EventType } from '../src/events/events.model'
import { openService, party, payer, receiver, type TestNotification } from './harness'

/** One step between polls. */
type Step =
  | { kind: 'write'; from: string | null; to: string | null; accepted: boolean; burst: number }
  | { kind: 'clock'; ms: number }
  | { kind: 'poll'; poller: number; limit: number }
  | { kind: 'restart' }

const participant = fc.constantFrom(null, payer, receiver)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      from: participant,
      to: participant,
      accepted: fc.boolean(),
      burst: fc.integer({ min: 1, max: 12 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('clock' as const), ms: fc.integer({ min: -50, max: 50 }) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('poll' as const),
      poller: fc.nat({ max: 4 }),
      limit: fc.integer({ min: 1, max: 9 }),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
)

interface Poller {
  participantId: string | null
  type: EventType | null
  since: string | null
  seen: Event[]
}

const pollers = (): Poller[] => [
  { participantId: null, type: null, since: null, seen: [] },
  { participantId: null, type: 'payment.accepted', since: null, seen: [] },
  { participantId: payer, type: null, since: null, seen: [] },
  { participantId: receiver, type: null, since: null, seen: [] },
  { participantId: receiver, type: 'payment.created', since: null, seen: [] },
]

/** One poll as a client does it; returns the number of events. */
async function poll(service: TestNotification, poller: Poller, limit: number): Promise<number> {
  const query = new URLSearchParams({ limit: String(limit) })
  if (poller.since !== null) query.set('since', poller.since)
  if (poller.type !== null) query.set('type', poller.type)
  const headers = poller.participantId === null ? {} : await service.asParticipant(poller.participantId)
  const { body } = await service.get<{ data: Event[]; pageInfo: { total: number } }>(`/events?${query}`, headers)
  expect(body.pageInfo.total >= body.data.length && (body.data.length === limit) === body.pageInfo.total >= limit).toBe(
    true,
  )
  poller.seen.push(...body.data)
  poller.since = body.data.at(-1)?.timestamp ?? poller.since
  return body.data.length
}

interface Written {
  transactionId: string
  type: EventType
  parties: (string | null)[]
}

test('pollers get every event once, in one order, whatever is written, restarted or stepped back meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), async (steps) => {
      const dataDir = tempDir()
      const clock = fixedClock('2026-01-31T12:00:00.000Z')
      let service = await openService({ dataDir, now: clock })
      const written: Written[] = []
      const all = pollers()
      // Writers are not awaited: polls find whatever is committed by then.
      const writing: Promise<unknown>[] = []
      const write = async ({ from, to, accepted }: Extract<Step, { kind: 'write' }>) => {
        const moved = accepted ? ({ previous: 'PENDING', status: 'APPROVED' } as const) : {}
        const parties = { from: from === null ? null : party(from), to: to === null ? null : party(to) }
        const transactionId = await service.payment({ ...moved, ...parties })
        written.push({
          transactionId,
          type: accepted ? 'payment.accepted' : 'payment.created',
          parties: [from, to],
        })
      }
      for (const step of steps) {
        if (step.kind === 'write') for (let i = 0; i < step.burst; i++) writing.push(write(step))
        else if (step.kind === 'clock') clock.advance(step.ms)
        else if (step.kind === 'poll') await poll(service, all[step.poller] as Poller, step.limit)
        else {
          await Promise.all(writing)
          await service.close()
          service = await openService({ dataDir, now: clock })
        }
      }
      await Promise.all(writing)
      // Bounded: a poll that repeats events would never end.
      for (const poller of all) {
        for (let i = 0; i <= written.length && (await poll(service, poller, 7)) > 0; i++);
      }
      await service.close()

      for (const { participantId, type, seen } of all) {
        const mine = written.filter(
          (event) =>
            (type === null || event.type === type) && (participantId === null || event.parties.includes(participantId)),
        )
        expect(seen.map(({ data }) => data.transactionId).toSorted()).toEqual(
          mine.map(({ transactionId }) => transactionId).toSorted(),
        )
        const times = seen.map(({ timestamp }) => timestamp)
        expect(times).toEqual([...new Set(times)].toSorted())
      }
    }),
    { numRuns: 40 },
  )
})
