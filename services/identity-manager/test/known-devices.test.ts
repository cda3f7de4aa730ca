// Attempts of strangers must not lock a user out (decisions, Locked out).
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { fixedClock, until } from '@bursar/testing'
import { admin, openService, refused, type TestIdentityManager } from './harness'

const dayMs = 24 * 3_600_000
const clock = fixedClock('2026-03-01T12:00:00.000Z')
let service: TestIdentityManager
beforeEach(async () => {
  service = await openService({ now: clock })
})
afterEach(() => service?.close())

const from = (address: string) => service.as({ kind: 'anonymous', subject: address })
const attempt = async (address: string, password: string, deviceToken?: string, email = admin.email) =>
  service.post('/auth/login', { email, password, deviceToken }, await from(address))
const deviceOf = async (address = '203.0.113.1') =>
  (await attempt(address, admin.password)).headers.get('x-device-token') ?? ''

test('five wrong passwords from one address lock nobody out elsewhere', async () => {
  for (let i = 0; i < 5; i++) expect((await attempt('203.0.113.66', 'wrong')).status).toBe(401)
  expect((await attempt('203.0.113.66', admin.password)).status).toBe(429)
  expect((await attempt('203.0.113.1', admin.password)).status).toBe(200)
})

test('failures from many addresses slow an account down more and more, and never lock it', async () => {
  for (let i = 0; i < 60; i++) expect((await attempt(`203.0.113.${i}`, 'wrong')).status).toBe(401)
  expect(service.pauses.slice(0, 6)).toEqual([250, 500, 1000, 2000, 4000, 5000])
  expect(service.pauses).toHaveLength(55)
  expect((await attempt('198.51.100.1', admin.password)).status).toBe(200)
  expect(service.pauses.at(-1)).toBe(5000)
  // It has shown who it is.
  await attempt('198.51.100.2', 'wrong')
  expect(service.pauses).toHaveLength(56)
})

describe('a device of an earlier log-in', () => {
  test('does not wait, and the failures of others at its address do not count against it', async () => {
    const device = await deviceOf()
    for (let i = 0; i < 20; i++) await attempt('203.0.113.1', 'wrong')
    for (let i = 0; i < 20; i++) await attempt(`198.51.100.${i}`, 'wrong')
    const before = service.pauses.length
    expect((await attempt('203.0.113.1', admin.password, device)).status).toBe(200)
    expect(service.pauses).toHaveLength(before)
  })

  test('has five guesses too, wherever it is', async () => {
    const device = await deviceOf()
    for (let i = 0; i < 5; i++) expect((await attempt(`203.0.113.${i}`, 'wrong', device)).status).toBe(401)
    expect(refused(await attempt('203.0.113.99', admin.password, device), 429).code).toBe('RATE_LIMITED')
  })

  test('belongs to its user only, for half a year, and cannot be forged', async () => {
    const device = await deviceOf()
    const other = await service.member()
    for (let i = 0; i < 60; i++) await attempt(`203.0.113.${i}`, 'wrong')
    for (let i = 0; i < 60; i++) await attempt(`198.51.100.${i}`, 'wrong', undefined, other.email)
    let places = 0
    const waits = async (token: string, email = admin.email) => {
      const before = service.pauses.length
      await attempt(`192.0.2.${++places}`, 'wrong', token, email)
      return service.pauses.length > before
    }
    const [id, at, mac = ''] = device.split('.')
    expect(await waits(device)).toBe(false)
    expect(await waits(device, other.email)).toBe(true)
    for (const forged of [
      '',
      'x',
      `${id}.${at}`,
      `${id}x.${at}.${mac}`,
      `${id}.${Number(at) + 1}.${mac}`,
      `${device}.`,
    ]) {
      expect([forged, await waits(forged)]).toEqual([forged, true])
    }
    clock.advance(181 * dayMs)
    for (let i = 0; i < 10; i++) await attempt(`203.0.113.${i}`, 'wrong')
    expect(await waits(device)).toBe(true)
  })

  test('is not known where a clock that was ahead has issued its token', async () => {
    clock.advance(181 * dayMs)
    const device = await deviceOf()
    clock.advance(-181 * dayMs)
    for (let i = 0; i < 10; i++) await attempt(`203.0.113.${i}`, 'wrong')
    const before = service.pauses.length
    await attempt('192.0.2.1', 'wrong', device)
    expect(service.pauses).toHaveLength(before + 1)
  })

  test('keeps its turn while 120 strangers log in at once', async () => {
    const gate: (() => void)[] = []
    let isOpen = true
    const own = await openService({
      hasher: {
        hash: async (password) => password,
        async verify(password, hash) {
          if (!isOpen) await new Promise<void>((resolve) => gate.push(resolve))
          return password === hash
        },
      },
    })
    const device = (await own.logIn()).headers.get('x-device-token') ?? ''
    isOpen = false
    const answered: number[] = []
    const strangers = Array.from({ length: 120 }, async (_, i) => {
      answered.push((await own.logIn(`user-${i}@bank.example`, 'wrong')).status)
    })
    await until(() => answered.length >= 86)
    expect(answered).toEqual(Array(86).fill(503))
    expect((await own.logIn()).status).toBe(503)
    const user = own.logIn(admin.email, admin.password, device)
    isOpen = true
    for (const release of gate) release()
    expect((await user).status).toBe(200)
    await Promise.all(strangers)
    await own.close()
  })
})
