import { expect, test } from 'bun:test'
import { idFloor } from './id-floor'

test('lies between the ids of the millisecond before and those of the moment', () => {
  const at = new Date('2026-01-31T12:00:00.123Z')
  for (let i = 0; i < 100; i++) {
    expect(Bun.randomUUIDv7('hex', at.getTime()) > idFloor(at)).toBe(true)
    expect(Bun.randomUUIDv7('hex', at.getTime() - 1) < idFloor(at)).toBe(true)
  }
})

test('a moment before 1970 is below all', () => {
  expect(idFloor(new Date('1900-01-01'))).toBe('00000000-0000-7000-8000-000000000000')
})
