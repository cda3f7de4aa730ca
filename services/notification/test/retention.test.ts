import { expect, test } from 'bun:test'
import { retireOld } from '@bursar/store'
import { fixedClock } from '@bursar/testing'
import { config } from '../src/config'
import { retainedEvents } from '../src/events/retention'
import { openService, payer } from './harness'

const noon = '2026-01-31T12:00:00.000Z'
const dayMs = 86_400_000
const env = { NOTIFICATION_RETENTION_DAYS: '2' }

const retire = ({ deps: { store, now } }: Awaited<ReturnType<typeof openService>>) =>
  retireOld([{ retained: retainedEvents, days: config(env).retentionDays }], { store, now, folder: null })

test('events are kept for NOTIFICATION_RETENTION_DAYS, and totals count only the events that are kept', async () => {
  const clock = fixedClock(noon)
  const service = await openService({ now: clock, env })
  for (let i = 0; i < 450; i++) await service.payment()
  clock.advance(dayMs)
  const kept = [await service.payment({ previous: 'PENDING', status: 'APPROVED' }), await service.payment()]
  clock.advance(dayMs)
  expect(await retire(service)).toEqual(new Set())
  expect((await service.get('/events')).body.pageInfo.total).toBe(452)
  clock.advance(450)
  expect(await retire(service)).toEqual(new Set())
  const ids = async (query: string, headers = {}) => {
    const { data, pageInfo } = (await service.get(`/events${query}`, headers)).body
    expect(pageInfo.total).toBe(data.length)
    return data.map((event: { data: { transactionId: string } }) => event.data.transactionId)
  }
  expect(await ids('')).toEqual(kept)
  expect(await ids('?type=payment.created')).toEqual(kept.slice(1))
  expect(await ids('', await service.asParticipant(payer))).toEqual(kept)
  kept.push(await service.payment())
  expect(await ids('', await service.asParticipant(payer))).toEqual(kept)
})

test('the newest event stays, so that the next one is later even when the clock is stepped back', async () => {
  const clock = fixedClock(noon)
  const service = await openService({ now: clock, env })
  await service.payment()
  await service.payment()
  clock.advance(30 * dayMs)
  expect(await retire(service)).toEqual(new Set())
  clock.advance(-60 * dayMs)
  await service.payment()
  const { data } = (await service.get('/events')).body
  expect(data.map(({ timestamp }: { timestamp: string }) => timestamp)).toEqual([
    '2026-01-31T12:00:00.001Z',
    '2026-01-31T12:00:00.002Z',
  ])
})

test('retention without events deletes nothing', async () => {
  const service = await openService({ env })
  expect(await retire(service)).toEqual(new Set())
  expect((await service.get('/events')).body).toEqual({ data: [], pageInfo: { limit: 20, offset: 0, total: 0 } })
})
