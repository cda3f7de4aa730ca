import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { endPhases, type Phase, phaseNames, phaseStatuses, phasesOf, startPhase } from './phases'
import { transactions } from './transactions.table'

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second))
const fresh = () => phasesOf({ phases: null, createdAt: at(0) })

test('a new transaction is created and being screened', () => {
  expect(fresh()).toEqual([
    {
      name: 'created',
      status: 'COMPLETED',
      startedAt: at(0).toISOString(),
      completedAt: at(0).toISOString(),
      detail: null,
    },
    { name: 'screening', status: 'IN_PROGRESS', startedAt: at(0).toISOString(), completedAt: null, detail: null },
  ])
})

test('ending ends all that is in progress and adds what had not begun', () => {
  const ended = endPhases(
    startPhase(fresh(), 'execution', at(1)),
    ['execution', 'confirmation'],
    'COMPLETED',
    at(2),
    'ok',
  )
  expect(ended.map(({ name, status, completedAt }) => [name, status, completedAt])).toEqual([
    ['created', 'COMPLETED', at(0).toISOString()],
    ['screening', 'COMPLETED', at(2).toISOString()],
    ['execution', 'COMPLETED', at(2).toISOString()],
    ['confirmation', 'COMPLETED', at(2).toISOString()],
  ])
  expect(ended[0]?.detail).toBeNull()
  expect(ended[2]?.detail).toBe('ok')
})

test('starting again changes nothing; an end without a detail keeps the one that was there', () => {
  const phases = fresh()
  expect(startPhase(phases, 'screening', at(9))).toBe(phases)
  const begun = startPhase(endPhases(phases, [], 'COMPLETED', at(1), null), 'review', at(2), 'attempt 2')
  expect(endPhases(begun, [], 'FAILED', at(3), null)[2]).toMatchObject({ status: 'FAILED', detail: 'attempt 2' })
})

const time = fc.integer({ min: 0, max: 3 }).map((second) => at(second).toISOString())
const phase: fc.Arbitrary<Phase> = fc.record({
  name: fc.constantFrom(...phaseNames),
  status: fc.constantFrom(...phaseStatuses),
  startedAt: time,
  completedAt: fc.option(time),
  detail: fc.option(fc.string()),
})

test('phases are read as they were stored', () => {
  const { phases: column } = transactions
  fc.assert(
    fc.property(fc.array(phase, { maxLength: 6 }), (all) => {
      expect(column.mapFromDriverValue(column.mapToDriverValue(all))).toEqual(all)
    }),
  )
})

test('the phases of a withdrawal are stored in few bytes', () => {
  const approved = endPhases(fresh(), ['screening'], 'COMPLETED', at(1), null)
  const paid = endPhases(
    startPhase(approved, 'execution', at(1)),
    ['execution', 'confirmation'],
    'COMPLETED',
    at(2),
    null,
  )
  expect(String(transactions.phases.mapToDriverValue(paid)).length).toBeLessThan(250)
})
