import { expect, test } from 'bun:test'
import type { Client } from '@bursar/http'
import { fixedClock } from '@bursar/testing'
import { createRevocations } from './revocations'

const id = '01a1fe8f-0000-7000-8000-000000000001'
const minuteMs = 60_000

test('a session that has ended stays so when the clock was ahead for some hours', async () => {
  const clock = fixedClock('2026-03-01T12:00:00.000Z')
  const client = { call: async () => ({ epoch: 1, items: [], more: false }) } as unknown as Client
  const revocations = createRevocations(client, () => clock().getTime())
  revocations.add({ id, until: '2026-03-01T12:15:00.000Z' })
  clock.advance(20 * 60 * minuteMs)
  await revocations.pull()
  clock.advance(-20 * 60 * minuteMs)
  expect(revocations.has(id)).toBeTrue()
  clock.advance(25 * 60 * minuteMs)
  await revocations.pull()
  expect(revocations.has(id)).toBeFalse()
})
