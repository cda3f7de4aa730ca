// What the participant service is told of a participant's keys, and a clock that jumps.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { approved, moved, registered } from './bodies'
import { handOverAll, openService, type TestMainApi } from './harness'
import { identityManager, type Peer, participantService } from './takers'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const now = fixedClock('2026-03-01T12:00:00.000Z')
let users: Peer
let participants: Peer
let service: TestMainApi
beforeEach(async () => {
  users = identityManager()
  participants = participantService()
  service = await openService({ now, urls: { 'identity-manager': users.url, participant: participants.url } })
})
afterEach(async () => {
  await service.close().catch(() => {})
  await Promise.all([users.stop(), participants.stop()])
})

const run = () => handOverAll(service.deps)
const issue = async (id: string, body: object = { expirationDate: 365 }): Promise<string> =>
  (await service.create('/participants/api-key', body, await service.asParticipant(id))).data.apiKey
const hashOf = (key: string) => new Bun.CryptoHasher('sha256').update(key).digest('hex')
const inDays = (days: number) => new Date(now().getTime() + days * dayMs).toISOString()
/** The keys that the participant service was given, oldest first. */
const keysTaken = () => participants.taken.map(({ body }) => body.authConsumerId)

describe('an admission', () => {
  test('says until when each of its keys is valid', async () => {
    const { id } = await approved(service)
    const first = await issue(id, { expirationDate: 30 })
    const second = await issue(id, { expirationDate: 60, previousValidHours: 48 })
    await run()
    expect(participants.taken.at(-1)?.body).toMatchObject({
      authConsumerId: second,
      isPlaceholder: false,
      previousUntil: inDays(2),
      issued: [
        { keyHash: hashOf(second), validUntil: inDays(60) },
        { keyHash: hashOf(first), validUntil: inDays(2) },
      ],
    })
    const last = await issue(id, { expirationDate: 60, previousValidHours: 0 })
    await run()
    expect(participants.taken.at(-1)?.body).toMatchObject({
      authConsumerId: last,
      previousUntil: inDays(0),
      issued: [
        { keyHash: hashOf(last) },
        ...[second, first].map((key) => ({ keyHash: hashOf(key), validUntil: inDays(0) })),
      ],
    })
  })

  test('of an offboarded participant ends all its keys, including those set at the participant service', async () => {
    const { id } = await approved(service)
    const key = await issue(id)
    await run()
    await moved(service, id, 'OFFBOARDED')
    await run()
    expect(participants.taken.at(-1)?.body).toMatchObject({
      isPlaceholder: true,
      previousUntil: inDays(0),
      issued: [{ keyHash: hashOf(key), validUntil: inDays(0) }],
    })
  })
})

describe('a clock that is a year ahead for one look', () => {
  test('delays no attempt that failed meanwhile, and no new request', async () => {
    const failed = await registered(service)
    users.refuse(503, 'Not yet')
    now.advance(365 * dayMs)
    await run()
    users.refuse(0)
    const requested = await registered(service)
    now.advance(-365 * dayMs)
    await run()
    expect(users.taken.map(({ key }) => key).sort()).toEqual([failed.id, requested.id].sort())
  })

  test('repeats no finished work early', async () => {
    const { id } = await approved(service)
    const key = await issue(id)
    await run()
    now.advance(dayMs)
    await run()
    expect(keysTaken()).toEqual([key])
  })
})
