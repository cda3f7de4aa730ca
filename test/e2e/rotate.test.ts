import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { tempDir } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { newSeed, openKeys } from '../../services/wallet/src/keys/seed-file'
import { runCommand } from '../commands'

const admin = { email: 'admin@bursar.example', password: 'seven grey herons at dawn' }
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['identity-manager', 'gateway'], {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
})
afterAll(() => platform.close())

async function rotate(args: string[], settings: Record<string, string> = {}) {
  const env = { ...process.env, ...platform.env, ...settings }
  const { code, out, error: complaints } = await runCommand('rotate', args, { env })
  return { code, out, complaints }
}
const run = (...args: string[]) => rotate(['tokens', ...args])

const identity = () => platform.to('identity-manager')
const kids = async (): Promise<string[]> =>
  (await identity().get('/.well-known/jwks.json')).body.keys.map(({ kid }: { kid: string }) => kid)
const signingKid = async (): Promise<string> => {
  const { accessToken } = (await identity().post('/auth/login', admin)).body.data
  return JSON.parse(Buffer.from(accessToken.split('.')[0], 'base64url').toString()).kid
}

test('bun run rotate tokens has another key sign, and keeps the one before until its tokens are dead', async () => {
  const [before, signing] = [await kids(), await signingKid()]
  const { code, out } = await run()
  const now = await signingKid()
  expect([code, out]).toEqual([0, `The key ${now} signs from now on.\n`])
  expect(now).not.toBe(signing)
  expect(await kids()).toEqual(expect.arrayContaining(before))
})

test('with --drop it takes back all keys before', async () => {
  const before = await kids()
  expect((await run('--drop')).code).toBe(0)
  expect((await kids()).filter((kid) => before.includes(kid))).toEqual([])
})

test.each([
  ['main-api', 'MAIN_SECRET_KEY'],
  ['participant', 'PARTICIPANT_SECRET_KEY'],
])('bun run rotate %s writes what its setting must hold next', async (name, setting) => {
  const key = Buffer.alloc(32, 5).toString('base64')
  const into = join(tempDir(), 'steps.env')
  expect(await rotate([name], { [setting]: key })).toMatchObject({
    code: 2,
    complaints: `${setting} is set: name a new file for its next values by --into\n`,
  })
  const { code, out } = await rotate([name, '--into', into], { [setting]: key })
  expect(code).toBe(0)
  const [, first = '', , second = '', , third = ''] = readFileSync(into, 'utf8').split('\n')
  const next = third.replace(`# ${setting}=`, '')
  expect(Buffer.from(next, 'base64')).toHaveLength(32)
  expect(out).not.toContain(next)
  expect([first, second]).toEqual([`${setting}=${key},${next}`, `# ${setting}=${next},${key}`])
  expect(statSync(into).mode & 0o777).toBe(0o600)
})

test('bun run rotate wallet encrypts a seed that is a setting under another passphrase', async () => {
  const folder = tempDir()
  const [to, into] = [join(folder, 'passphrase'), join(folder, 'seed.env')]
  writeFileSync(to, 'the new passphrase\n')
  const settings = {
    WALLET_SEED: await newSeed('the old passphrase', { now: new Date(), cost: 2 ** 4 }),
    WALLET_PASSPHRASE: 'the old passphrase',
  }
  expect(await rotate(['wallet', '--to', to, '--into', into], settings)).toMatchObject({ code: 0, complaints: '' })
  const made = parseEnv(readFileSync(into, 'utf8'))
  expect(made.WALLET_PASSPHRASE).toBe('the new passphrase')
  const [before, after] = await Promise.all([
    openKeys(folder, [settings.WALLET_PASSPHRASE], { seed: settings.WALLET_SEED }),
    openKeys(folder, ['the new passphrase'], { seed: made.WALLET_SEED }),
  ])
  expect(after.fingerprint).toBe(before.fingerprint)
  for (const keys of [before, after]) keys.close()
})

test('with DATABASE_URL it does not change the files of one machine', async () => {
  const { code, complaints } = await rotate(['quote'], { DATABASE_URL: 'postgres://127.0.0.1:9/bursar' })
  expect([code, complaints]).toEqual([2, expect.stringContaining('make it a setting')])
})

test('without the service it says so', async () => {
  await platform.stop('identity-manager')
  const { code, complaints } = await run()
  await platform.start('identity-manager')
  expect([code, complaints]).toEqual([1, 'The identity-manager service cannot be reached\n'])
})
