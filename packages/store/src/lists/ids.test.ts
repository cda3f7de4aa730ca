import { expect, test } from 'bun:test'
import { idFloor, newId } from './ids'

const at = new Date('2026-01-31T12:00:00.123Z')

test('ids of one millisecond are in the order of their making, whatever is made in between', () => {
  const ids = Array.from({ length: 5000 }, (_, i) => {
    newId(i)
    Bun.randomUUIDv7()
    return newId(i % 2 ? at : at.getTime())
  })
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

test('an id is a UUID of version 7 and of its moment', () => {
  expect(newId(at)).toMatch(/^019c13ec-9e7b-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/)
  const before = Date.now()
  const now = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  expect(now).toBeWithin(before, Date.now() + 1)
})

test('the least id lies between the ids of the millisecond before and those of the moment', () => {
  for (let i = 0; i < 100; i++) {
    expect(newId(at) > idFloor(at)).toBe(true)
    expect(newId(at.getTime() - 1) < idFloor(at)).toBe(true)
  }
})

test('a moment before 1970 is below all', () => {
  expect(idFloor(new Date('1900-01-01'))).toBe('00000000-0000-7000-8000-000000000000')
})
