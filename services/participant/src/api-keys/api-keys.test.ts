import { describe, expect, test } from 'bun:test'
import { apiKeyHash, createSeal } from '@bursar/http'
import { seesKey } from './api-keys'

const keys = createSeal(Buffer.alloc(32, 1))

describe('API keys', () => {
  test('can be decrypted, and never look the same twice', () => {
    const [one, two] = [keys.seal('sk_live_ä', 'p1'), keys.seal('sk_live_ä', 'p1')]
    expect(one).not.toBe(two)
    expect(one).not.toContain('sk_live')
    expect([keys.open(one, 'p1'), keys.open(two, 'p1')]).toEqual(['sk_live_ä', 'sk_live_ä'])
  })

  test('cannot be decrypted for another participant, altered, or with another key', () => {
    const sealed = keys.seal('sk_live_a', 'p1')
    expect(() => keys.open(sealed, 'p2')).toThrow()
    const altered = sealed.replace(/.(?=.$)/, (letter) => (letter === 'A' ? 'B' : 'A'))
    expect(() => keys.open(altered, 'p1')).toThrow()
    expect(() => keys.open('sk_live_a', 'p1')).toThrow('is not sealed')
    expect(() => createSeal(Buffer.alloc(32, 2)).open(sealed, 'p1')).toThrow()
  })

  test('are looked up by their SHA-256', () => {
    expect(apiKeyHash('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })

  test('are visible to their participant, administrators, services and callers without the gateway', () => {
    const user = { kind: 'user', subject: 'u', participantId: 'p1', roles: ['participant-user'] } as const
    expect(seesKey(null, 'p1')).toBe(true)
    expect(seesKey({ ...user, kind: 'participant', roles: [] }, 'p1')).toBe(true)
    expect(seesKey({ ...user, roles: ['participant-admin'] }, 'p1')).toBe(true)
    expect(seesKey({ ...user, roles: ['participant-admin'] }, 'p2')).toBe(false)
    // With the key it could do what only an administrator may.
    expect(seesKey(user, 'p1')).toBe(false)
    expect(seesKey({ ...user, roles: ['admin'] }, 'p2')).toBe(true)
    expect(seesKey({ ...user, kind: 'service', participantId: null }, 'p2')).toBe(true)
  })
})
