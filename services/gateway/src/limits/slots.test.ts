import { expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import { createSlots, type SlotLimits } from './slots'

/** Takes slots; the status of a refusal instead of one. */
function slotsOf(limits: SlotLimits, now = () => 0) {
  const slots = createSlots(limits, 'Too many at once', now)
  return (caller: string, institution?: string, stop?: () => void): (() => void) | number => {
    try {
      return slots.take(caller, institution, stop)
    } catch (error) {
      if (error instanceof AppError) return error.status
      throw error
    }
  }
}

const release = (slot: (() => void) | number) => typeof slot === 'function' && slot()
const isTaken = (slot: (() => void) | number) => typeof slot === 'function'

test('a caller has as many as it may at a time, whichever of them it releases', () => {
  const take = slotsOf({ each: 3, inAll: 100 })
  const [first = 0, , third = 0] = [take('a'), take('a'), take('a')]
  expect([take('a'), isTaken(take('b'))]).toEqual([429, true])
  release(third)
  expect(isTaken(take('a'))).toBe(true)
  expect(take('a')).toBe(429)
  release(first)
  expect(isTaken(take('a'))).toBe(true)
  expect(take('a')).toBe(429)
})

test('an institution has twice as many, however many keys and users it has', () => {
  const take = slotsOf({ each: 2, inAll: 100 })
  const [first = 0] = [take('a', 'one'), take('a', 'one'), take('b', 'one'), take('c', 'one')]
  expect([take('a', 'one'), take('c', 'one'), take('d', 'one')]).toEqual([429, 429, 429])
  expect([isTaken(take('e', 'two')), isTaken(take('f'))]).toEqual([true, true])
  release(first)
  expect([isTaken(take('d', 'one')), take('a', 'one')]).toEqual([true, 429])
})

test('all together have as many as they may', () => {
  const take = slotsOf({ each: 3, inAll: 2 })
  const [first = 0] = [take('a'), take('b')]
  expect(take('c')).toBe(503)
  release(first)
  expect(isTaken(take('c'))).toBe(true)
  expect(take('a')).toBe(503)
})

test('a slot that is released twice is one', () => {
  const take = slotsOf({ each: 1, inAll: 2 })
  const first = take('a')
  release(first)
  const second = take('a')
  release(first)
  expect(take('a')).toBe(429)
  expect([isTaken(take('b')), take('c')]).toEqual([true, 503])
  release(second)
  expect(isTaken(take('a'))).toBe(true)
})

test('of slots that may be taken over, the one held longest goes to a newcomer after half a minute, and not before', () => {
  let now = 0
  const take = slotsOf({ each: 1, inAll: 3 }, () => now)
  const stopped: string[] = []
  const hold = (caller: string) => take(caller, undefined, () => stopped.push(caller))
  const kept = take('kept')
  const first = hold('slow')
  now = 1000
  hold('slower')
  now = 29_999
  expect([take('new'), stopped]).toEqual([503, []])
  now = 30_000
  // Who may not have another one ends nobody's.
  expect([hold('slower'), stopped]).toEqual([429, []])
  expect([isTaken(hold('new')), stopped]).toEqual([true, ['slow']])
  expect([hold('slow'), stopped]).toEqual([503, ['slow']])
  // It is not its slot any more.
  release(first)
  expect(hold('slow')).toBe(503)
  now = 31_000
  expect([isTaken(hold('slow')), stopped]).toEqual([true, ['slow', 'slower']])
  release(kept)
})
