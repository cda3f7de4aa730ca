import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type PfiStatus, pfiStatuses } from '@bursar/contracts/main-api'
import { fixedClock } from '@bursar/testing'
import fc from 'fast-check'
import { moved, registered } from './bodies'
import { nobody, openService, refused, type TestMainApi, uuidExpected } from './harness'

const now = fixedClock('2026-03-01T12:00:00.000Z')
let service: TestMainApi
beforeAll(async () => {
  service = await openService({ now })
})
afterAll(() => service.close())

const detail = async (id: string) => (await service.get(`/admin/pfi/${id}`)).body

/** Which moves the review allows; written down here once more, so that a slip in the table is seen. */
const legal: readonly [PfiStatus, PfiStatus][] = [
  ['NOT_STARTED', 'UNDER_REVIEW'],
  ['NOT_STARTED', 'APPROVED'],
  ['NOT_STARTED', 'REJECTED'],
  ['NOT_STARTED', 'OFFBOARDED'],
  ['UNDER_REVIEW', 'APPROVED'],
  ['UNDER_REVIEW', 'REJECTED'],
  ['UNDER_REVIEW', 'OFFBOARDED'],
  ['APPROVED', 'PAUSED'],
  ['APPROVED', 'OFFBOARDED'],
  ['REJECTED', 'UNDER_REVIEW'],
  ['REJECTED', 'OFFBOARDED'],
  ['PAUSED', 'APPROVED'],
  ['PAUSED', 'OFFBOARDED'],
]
const isLegal = (from: PfiStatus, to: PfiStatus) => legal.some(([a, b]) => a === from && b === to)

describe('PUT /admin/pfi/:id/status', () => {
  test('200 with the history: who, when, from, to and why', async () => {
    const { id } = await registered(service)
    const reviewer = await service.as({ subject: 'reviewer-1', roles: ['operator'] })
    const body = { status: 'UNDER_REVIEW', comments: 'Documents are complete.\nScreening is under way.' }
    const { status, body: answer } = await service.put(`/admin/pfi/${id}/status`, body, reviewer)
    expect([status, answer.status]).toEqual([200, 'UNDER_REVIEW'])
    now.advance(60_000)
    await moved(service, id, 'APPROVED')
    const { history, approvedAt, status: last } = await detail(id)
    expect([last, approvedAt]).toEqual(['APPROVED', now().toISOString()])
    expect(history).toEqual([
      {
        id: history[0].id,
        from: 'NOT_STARTED',
        to: 'UNDER_REVIEW',
        comments: body.comments,
        changedBy: 'reviewer-1',
        changedAt: new Date(now().getTime() - 60_000).toISOString(),
      },
      {
        id: history[1].id,
        from: 'UNDER_REVIEW',
        to: 'APPROVED',
        comments: null,
        changedBy: null,
        changedAt: now().toISOString(),
      },
    ])
  })

  test('a repeated request changes nothing; the same status with a new comment is recorded', async () => {
    const { id } = await registered(service)
    await moved(service, id, 'UNDER_REVIEW', 'One')
    const before = await detail(id)
    expect((await moved(service, id, 'UNDER_REVIEW', 'One')).body).toEqual(before)
    expect((await moved(service, id, 'UNDER_REVIEW')).body).toEqual(before)
    const { body } = await moved(service, id, 'UNDER_REVIEW', 'Two')
    expect(body.history.map(({ from, to, comments }: Record<string, string>) => [from, to, comments])).toEqual([
      ['NOT_STARTED', 'UNDER_REVIEW', 'One'],
      ['UNDER_REVIEW', 'UNDER_REVIEW', 'Two'],
    ])
    expect(body.updatedAt).toBe(before.updatedAt)
  })

  test('approval after a pause keeps the time of the first approval', async () => {
    const { id } = await registered(service)
    const first = (await moved(service, id, 'APPROVED')).body.approvedAt
    now.advance(1000)
    await moved(service, id, 'PAUSED')
    expect((await moved(service, id, 'APPROVED')).body.approvedAt).toBe(first)
  })

  test('409 names the possible statuses', async () => {
    const { id } = await registered(service)
    await moved(service, id, 'REJECTED')
    expect(refused(await moved(service, id, 'APPROVED'), 409)).toEqual({
      code: 'CONFLICT',
      message: 'The participant is REJECTED and cannot become APPROVED; it can become UNDER_REVIEW, OFFBOARDED',
    })
    await moved(service, id, 'OFFBOARDED')
    expect(refused(await moved(service, id, 'APPROVED'), 409).message).toContain('it stays so')
  })

  test('400 for an unknown status, a missing one, and comments that are not text', async () => {
    const { id } = await registered(service)
    expect(refused(await moved(service, id, 'approved'), 400).message).toBe(
      `status must be one of the following values: ${pfiStatuses.join(', ')}`,
    )
    expect(refused(await service.put(`/admin/pfi/${id}/status`, {}), 400).message).toContain('status')
    for (const comments of [7, null, {}, 'x'.repeat(2001), 'a\u0000']) {
      const answer = await service.put(`/admin/pfi/${id}/status`, { status: 'APPROVED', comments })
      expect(refused(answer, 400).message).toStartWith('comments must')
    }
    expect((await detail(id)).history).toEqual([])
  })

  test('404 for an unknown participant, 400 for an id that is not a UUID', async () => {
    expect(refused(await moved(service, nobody, 'APPROVED'), 404).message).toBe('Participant not found')
    expect(refused(await moved(service, 'x', 'APPROVED'), 400).message).toBe(uuidExpected)
  })

  test('concurrent moves happen one after another', async () => {
    const { id } = await registered(service)
    const answers = await Promise.all([moved(service, id, 'REJECTED'), moved(service, id, 'APPROVED')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await detail(id)).history).toHaveLength(1)
  })
})

test('of any requested moves those in the table happen, and the history has all of them', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...pfiStatuses), { maxLength: 12 }), async (wanted) => {
      const { id } = await registered(service)
      let at: PfiStatus = 'NOT_STARTED'
      const happened: [PfiStatus, PfiStatus][] = []
      for (const to of wanted) {
        const { status } = await moved(service, id, to)
        expect(status).toBe(to === at || isLegal(at, to) ? 200 : 409)
        if (to === at || status !== 200) continue
        happened.push([at, to])
        at = to
      }
      const { history, status, approvedAt } = await detail(id)
      expect(status).toBe(at)
      expect(history.map(({ from, to }: { from: PfiStatus; to: PfiStatus }) => [from, to])).toEqual(happened)
      expect(approvedAt !== null).toBe(happened.some(([, to]) => to === 'APPROVED'))
    }),
    { numRuns: 60 },
  )
})
