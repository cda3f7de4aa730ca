import { describe, expect, test } from 'bun:test'
import { createCoolDown } from './cool-down'

const now = new Date('2026-01-02T03:04:05.000Z')
const later = (seconds: number) => new Date(now.getTime() + seconds * 1000)

describe('the cool-down of a provider', () => {
  test.each([
    [null, 30],
    ['10', 10],
    ['Fri, 02 Jan 2026 03:05:05 GMT', 60],
    ['Fri, 02 Jan 2026 03:00:00 GMT', 30],
    ['0', 30],
    ['-5', 30],
    ['soon', 30],
    ['', 30],
    ['99999999999999999999', 3 * 24 * 3600],
  ])('Retry-After %p: for %d seconds', (header, seconds) => {
    const coolDown = createCoolDown()
    expect(coolDown.until('desk', {}, now)).toBeUndefined()
    coolDown.start('desk', {}, now, header)
    expect(coolDown.until('desk', {}, now)).toEqual(later(seconds))
    expect(coolDown.until('desk', {}, later(seconds - 0.001))).toEqual(later(seconds))
    expect(coolDown.until('desk', {}, later(seconds))).toBeUndefined()
  })

  test('ends with the error of a clock that was ahead', () => {
    const coolDown = createCoolDown()
    coolDown.start('desk', {}, later(365 * 24 * 3600), '60')
    expect(coolDown.until('desk', {}, now)).toBeUndefined()
    coolDown.start('desk', {}, now, '99999999')
    expect(coolDown.until('desk', {}, now)).toEqual(later(3 * 24 * 3600))
  })

  test('is kept by address and key, whatever else is in the config', () => {
    const coolDown = createCoolDown()
    coolDown.start('desk', { apiKey: 'a', timeout: 1 }, now, null)
    expect(coolDown.until('desk', { apiKey: 'a', timeout: 2, symbols: { BTC: 'x' } }, now)).toBeDefined()
    expect(coolDown.until('desk', { apiKey: 'b' }, now)).toBeUndefined()
    expect(coolDown.until('desk', { apiKey: 'a', baseUrl: 'http://other' }, now)).toBeUndefined()
    expect(coolDown.until('desk', { apiKey: 'a', headers: { 'x-key': 'b' } }, now)).toBeUndefined()
    expect(coolDown.until('other', { apiKey: 'a' }, now)).toBeUndefined()
  })
})
