import { expect, test } from 'bun:test'
import { stepsOf } from './onboarding-steps'

const createdAt = '2026-03-01T10:00:00.000Z'
const approvedAt = '2026-03-02T10:00:00.000Z'
const handover = (status: 'NONE' | 'PENDING' | 'DONE' | 'FAILED') => ({
  status,
  doneAt: status === 'DONE' ? approvedAt : null,
  problem: null,
})
const states = (...args: Parameters<typeof stepsOf>) => stepsOf(...args).map(({ state }) => state)

test('a new institution waits for its review while its first user is invited', () => {
  const invitation = handover('PENDING')
  const of = { status: 'NOT_STARTED' as const, createdAt, approvedAt: null, invitation, admission: handover('NONE') }
  expect(states(of)).toEqual(['done', 'now', 'now', 'next'])
  expect(stepsOf(of).map(({ words }) => words)).toEqual(['', 'under way', 'not started', 'after the approval'])
})

test('an approved one is through, also while it is paused', () => {
  const handovers = { invitation: handover('DONE'), admission: handover('DONE') }
  expect(states({ status: 'PAUSED', createdAt, approvedAt, ...handovers })).toEqual(['done', 'done', 'done', 'done'])
})

test('what was refused is seen', () => {
  const handovers = { invitation: handover('FAILED'), admission: handover('NONE') }
  expect(states({ status: 'REJECTED', createdAt, approvedAt: null, ...handovers })).toEqual([
    'done',
    'failed',
    'failed',
    'next',
  ])
})
