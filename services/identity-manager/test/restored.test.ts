// A database that was restored from an older backup has live sessions that have ended since.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginRun, openStore } from '@bursar/store'
import { tempDir } from '@bursar/testing'
import { createPasswordToken, getPasswordToken } from '../src/password-tokens/password-tokens'
import type { TokenKind } from '../src/password-tokens/password-tokens.table'
import { createChallenge, getChallenge } from '../src/second-factor/challenges'
import { beginAdding } from '../src/second-factor/passkeys'
import { passkeyChallenges } from '../src/second-factor/second-factor.table'
import { migrations } from '../src/service'
import { openSession } from '../src/sessions/sessions'
import { sessions } from '../src/sessions/sessions.table'
import { keepLogIn, takeLogIn } from '../src/single-sign-on/log-ins'
import { users } from '../src/users/users.table'
import { openService, type TestIdentityManager } from './harness'
import { kidOf, notValid, sessionCalls } from './session-calls'

const runFile = 'identity.run'

let service: TestIdentityManager
const { refresh, logIn, refusal, revocations } = sessionCalls(() => service)
type Tokens = Awaited<ReturnType<typeof logIn>>

/** The data folder of a service that was stopped, with a session of the administrator. */
let dataDir: string
let session: Tokens

/** What sets a password, or goes on with a log-in, once. */
let once: { passwords: [TokenKind, string][]; challenge: string; atProvider: string; passkey: string }

beforeEach(async () => {
  dataDir = tempDir()
  service = await openService({ dataDir })
  session = await logIn()
  const { store, deps } = service
  once = await store.commit(async (tx) => {
    const [user] = await tx.select().from(users)
    if (!user) throw new Error('There is no administrator')
    const passwords: [TokenKind, string][] = []
    for (const kind of ['invitation', 'change', 'reset'] as const) {
      passwords.push([kind, await createPasswordToken(tx, { userId: user.id, kind, lifeMs: 600_000 }, new Date())])
    }
    await beginAdding(tx, user.id, 'a challenge', new Date())
    const challenge = await createChallenge(tx, user.id, { device: null, viaProvider: false }, new Date())
    const checks = { state: 's', nonce: 'n', verifier: 'v', fresh: false }
    return { passwords, challenge, passkey: user.id, atProvider: await keepLogIn(tx, deps.seal, checks, new Date()) }
  })
  await service.close()
})
afterEach(() => service.close())

/** The folder as a backup of this moment, restored. */
function restored(): string {
  const folder = tempDir()
  cpSync(dataDir, folder, { recursive: true })
  rmSync(join(folder, runFile))
  return folder
}

/** Starts on the present folder. */
const startOn = async (folder: string) => {
  service = await openService({ dataDir: folder })
}

const publishedKids = async () => {
  const { body } = await service.get('/.well-known/jwks.json')
  return body.keys.map(({ kid }: { kid: string }) => kid)
}

async function expectAllEnded(): Promise<void> {
  expect(await refusal(session.refreshToken)).toEqual(notValid)
  expect([...(await revocations()).keys()]).toContain(session.sid)
  expect(await publishedKids()).not.toContain(kidOf(session.accessToken))
}

/** Of those that are good once, what is good still. */
async function goodOnce(): Promise<string[]> {
  const { store, deps } = service
  const now = new Date()
  const tries: [string, Promise<unknown>][] = [
    ...once.passwords.map(
      ([kind, token]) => [kind, getPasswordToken(store.read, token, [kind], now)] satisfies [string, Promise<unknown>],
    ),
    ['code', getChallenge(store.read, once.challenge, now)],
    ['provider', store.commit((tx) => takeLogIn(tx, deps.seal, once.atProvider, now))],
  ]
  const settled = await Promise.allSettled(tries.map(([, result]) => result))
  const good = tries.flatMap(([what], i) => (settled[i]?.status === 'fulfilled' ? [what] : []))
  return [...good, ...(await store.read.select().from(passkeyChallenges)).map(() => 'passkey')]
}

async function expectToGoOn(): Promise<void> {
  expect(await publishedKids()).toContain(kidOf(session.accessToken))
  expect((await refresh(session.refreshToken)).status).toBe(200)
}

describe('after a restore', () => {
  test('sessions of the backup have ended, and their access tokens are revoked', async () => {
    const folder = restored()
    await startOn(dataDir)
    await service.post('/auth/logout', { refreshToken: session.refreshToken })
    await service.close()

    await startOn(folder)
    await expectAllEnded()
  })

  test('a new log-in has a session, which survives the next start', async () => {
    const folder = restored()
    await startOn(folder)
    session = await logIn()
    expect(await publishedKids()).toContain(kidOf(session.accessToken))
    await service.close()

    await startOn(folder)
    await expectToGoOn()
    expect((await revocations()).has(session.sid)).toBe(false)
  })

  test('nothing of the backup sets a password, or goes on with a log-in: it may have been used since', async () => {
    await startOn(restored())
    expect(await goodOnce()).toEqual([])
  })

  test('so have more sessions than one commit ends', async () => {
    await startOn(dataDir)
    const begin = { origin: { address: null, userAgent: null }, lifeMs: 60_000 }
    await service.store.commit(async (tx) => {
      for (let n = 0; n < 450; n++) await openSession(tx, { ...begin, userId: Bun.randomUUIDv7() }, new Date())
    })
    await service.close()

    await startOn(restored())
    const reasons = (await service.store.read.select().from(sessions)).map(({ endReason }) => endReason)
    expect(reasons).toEqual(Array.from({ length: 451 }, () => 'restored'))
  })

  test.each([
    ['is missing', () => rmSync(join(dataDir, runFile))],
    ['is broken', () => writeFileSync(join(dataDir, runFile), '{"')],
    ['says something else', () => writeFileSync(join(dataDir, runFile), '"1"')],
  ])('it is detected by a run file that %s', async (_what, spoil) => {
    spoil()
    await startOn(dataDir)
    await expectAllEnded()
  })

  test('it is detected by a run file with a later start than the database', async () => {
    const older = restored()
    await startOn(dataDir)
    await service.close()
    cpSync(join(dataDir, runFile), join(older, runFile))
    await startOn(older)
    await expectAllEnded()
  })
})

describe('without a restore', () => {
  test('sessions survive the next start', async () => {
    await startOn(dataDir)
    await expectToGoOn()
    expect(await goodOnce()).toEqual(['invitation', 'change', 'reset', 'code', 'provider', 'passkey'])
  })

  test('they survive a failed start', async () => {
    const { file } = service
    const store = await openStore({ service: 'identity-manager', file, migrations })
    await beginRun(store, null)
    await store.close()
    await startOn(dataDir)
    await expectToGoOn()
  })

  test('the run file is readable by its owner only', () => {
    expect(statSync(join(dataDir, runFile)).mode & 0o777).toBe(0o600)
    expect(Number(readFileSync(join(dataDir, runFile), 'utf8'))).toBeGreaterThan(0)
  })
})
