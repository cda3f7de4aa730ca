// What anonymous callers make rows of leaves again, however much there is: a botnet's log-ins are hundreds of thousands.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { fixedClock } from '@bursar/testing'
import { accountOf, countAttempt, pauseFor } from '../src/logins/attempts'
import { attempts } from '../src/logins/attempts.table'
import { passwordTokens } from '../src/password-tokens/password-tokens.table'
import { providerLogIns } from '../src/provider-accounts/single-sign-on.table'
import { loginChallenges, passkeyChallenges } from '../src/second-factor/second-factor.table'
import { sweep } from '../src/sweep'
import { openService, type TestIdentityManager } from './harness'

const clock = fixedClock('2026-03-01T12:00:00.000Z')
let service: TestIdentityManager
beforeEach(async () => {
  service = await openService({ now: clock })
})
afterEach(() => service.close())

const tables = [attempts, passwordTokens, loginChallenges, passkeyChallenges, providerLogIns]
const left = async (): Promise<number> => {
  const rows = await Promise.all(tables.map((table) => service.deps.store.read.select().from(table)))
  return rows.flat().length
}

test('expired rows are deleted some hundred in a commit, so that nobody waits for all', async () => {
  const { store } = service.deps
  const day = 24 * 60 * 60_000
  const all = Array.from({ length: 450 }, (_, i) => ({ id: String(i), at: new Date(clock().getTime() - day - i) }))
  await store.commit(async (tx) => {
    for (const subject of ['account', 'address']) {
      await tx.insert(attempts).values(all.map(({ id, at }) => ({ id, subject, at })))
    }
    const common = { userId: 'u', createdAt: clock(), kind: 'reset' } as const
    await tx.insert(passwordTokens).values(all.map(({ id, at }) => ({ ...common, hash: id, expiresAt: at })))
    await tx.insert(loginChallenges).values(all.map(({ id, at }) => ({ userId: 'u', hash: id, expiresAt: at })))
    await tx.insert(passkeyChallenges).values(all.map(({ id, at }) => ({ subject: id, challenge: '', expiresAt: at })))
    await tx.insert(providerLogIns).values(all.map(({ id, at }) => ({ hash: id, checks: '', expiresAt: at })))
  })
  const deleted: number[] = []
  const commit = (async (...given: Parameters<typeof store.commit>) => {
    const before = await left()
    const result = await store.commit(...given)
    deleted.push(before - (await left()))
    return result
  }) as typeof store.commit
  await sweep({ ...service.deps, store: { ...store, commit } })
  expect(await left()).toBe(0)
  expect(Math.max(...deleted)).toBe(200)
})

test('an attempt at an account reads a few of those before, and waits the longest pause', async () => {
  const { store } = service.deps
  const account = accountOf('login', 'attacked@bank.example')
  const pauses: number[] = []
  for (let n = 0; n < 40; n++) {
    await store.commit((tx) => countAttempt(tx, [], clock(), [account]))
    pauses.push(await pauseFor(store.read, account, clock()))
  }
  expect(pauses.slice(4, 12)).toEqual([0, 250, 500, 1000, 2000, 4000, 5000, 5000])
  expect(pauses.at(-1)).toBe(5000)
})
