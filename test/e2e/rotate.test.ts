import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

setDefaultTimeout(60_000)
const admin = { email: 'admin@bursar.example', password: 'seven grey herons at dawn' }
let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform(['identity-manager', 'gateway'], {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
})
afterAll(() => platform.close())

async function run(...args: string[]) {
  const env = { ...process.env, ...platform.env }
  const { code, out, error: complaints } = await runCommand('rotate', ['tokens', ...args], { env })
  return { code, out, complaints }
}

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

test('without the service it says so', async () => {
  await platform.stop('identity-manager')
  const { code, complaints } = await run()
  await platform.start('identity-manager')
  expect([code, complaints]).toEqual([1, 'The identity-manager service cannot be reached\n'])
})
