// What the participant service is told of a participant's keys, and a clock that jumps.
import { describe, expect, test } from 'bun:test'
import { approved, moved, registered } from './bodies'
import {
  dayMs,
  hashOf,
  inDays,
  issue,
  keysTaken,
  now,
  participants,
  run,
  service,
  users,
  withTakers,
} from './handed-over'

withTakers()

describe('an admission', () => {
  test('says until when each of its keys is valid', async () => {
    const { id } = await approved(service)
    const first = await issue(id, { expirationDate: 30 })
    const second = await issue(id, { expirationDate: 60, previousValidHours: 48 })
    await run()
    expect(participants.taken.at(-1)?.body).toMatchObject({
      authConsumerId: second,
      isPlaceholder: false,
      previousUntil: inDays(1),
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

  test('ends the keys before several new ones when the first to end them does', async () => {
    const { id } = await approved(service)
    await issue(id)
    await run()
    now.advance(dayMs)
    await issue(id, { expirationDate: 365, previousValidHours: 0 })
    await issue(id)
    await run()
    expect(participants.taken.at(-1)?.body.previousUntil).toBe(inDays(0))
    now.advance(dayMs)
    await issue(id)
    await run()
    expect(participants.taken.at(-1)?.body.previousUntil).toBe(inDays(1))
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
