// The service as its process runs it: with a port, a log and its workers.
import { afterAll, beforeAll, expect } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, inOrder, tempDir, until } from '@bursar/testing'

let port: number
let dataDir: string
let process: Bun.Subprocess<'ignore', 'pipe', 'pipe'>
let output: Promise<string>
let complaints: Promise<string>
const url = (path: string) => `http://127.0.0.1:${port}${path}`
const post = (path: string, body: object, headers = {}) =>
  fetch(url(path), {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

beforeAll(async () => {
  port = await freePort()
  dataDir = tempDir()
  process = Bun.spawn(['bun', join(import.meta.dir, '../src/main.ts')], {
    env: {
      PATH: Bun.env.PATH,
      DATA_DIR: dataDir,
      IDENTITY_PORT: String(port),
      REDIS_URL: `redis://127.0.0.1:${await freePort()}`,
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'json',
      ADMIN_EMAIL: 'boss@bank.example',
    },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
  })
  output = new Response(process.stdout).text()
  complaints = new Response(process.stderr).text()
  await until(async () => (await fetch(url('/v1/.well-known/jwks.json'))).ok)
})
afterAll(() => process.kill())

/** The token of the newest mail that has one, once there are so many mails. */
async function mailedToken(mails: number): Promise<string> {
  const folder = join(dataDir, 'mail')
  const names = await until(() => {
    const found = readdirSync(folder).filter((name) => name.endsWith('.eml'))
    return found.length >= mails && found.sort()
  })
  const texts = names.map((name) => readFileSync(join(folder, name), 'utf8'))
  return /password#([\w-]+)/.exec(texts.findLast((text) => text.includes('password#')) ?? '')?.[1] ?? ''
}

inOrder('the identity manager as a process', (step) => {
  const secrets: string[] = []

  step('mails the token of a forgotten password, and takes it', async () => {
    const email = 'boss@bank.example'
    expect((await post('/v1/auth/forgot-password', { email })).status).toBe(200)
    const token = await mailedToken(1)
    const password = 'nineteen quiet otters'
    secrets.push(token, password)
    // Tokens in all kinds of paths, also of an unknown method and route.
    await fetch(url(`/v1/auth/reset-password/${token}`))
    await post(`/identity/v1/auth/reset-password/${token}`, { password })
    expect((await post(`/v1/auth/reset-password/${token}`, { password: 'short' })).status).toBe(400)
    expect((await post(`/v1/auth/reset-password/${token}`, { password })).status).toBe(200)
    const login = await post('/v1/auth/login', { email, password })
    expect(login.status).toBe(200)
    const { data } = (await login.json()) as { data: { accessToken: string; refreshToken: string } }
    secrets.push(data.accessToken, data.refreshToken)
    expect((await post('/v1/auth/refresh', { refreshToken: data.refreshToken })).status).toBe(200)
  })

  step('counts failures by the address given by the gateway', async () => {
    const guess = (email: string, address: string) =>
      post('/v1/auth/login', { email, password: 'wrong' }, { 'x-forwarded-for': address })
    for (let i = 0; i < 5; i++) expect((await guess(`guess-${i}@bank.example`, '203.0.113.5')).status).toBe(401)
    expect((await guess('guess-6@bank.example', '203.0.113.5')).status).toBe(429)
    expect((await guess('guess-6@bank.example', '203.0.113.6')).status).toBe(401)
    // Whoever calls without the gateway has the address of this machine, like all others.
    for (let i = 0; i < 6; i++) {
      const { status } = await post('/v1/auth/login', { email: `local-${i}@bank.example`, password: 'wrong' })
      expect(status).toBe(401)
    }
  })

  step('shows the first password outside its log, and writes no secret into it', async () => {
    process.kill('SIGTERM')
    expect(await process.exited).toBe(0)
    const [log, shown] = [await output, await complaints]
    const [, password] = /boss@bank\.example with the password ([\w-]{24})\n/.exec(shown) ?? []
    secrets.push(String(password))
    expect(secrets.every((secret) => secret.length >= 10)).toBe(true)
    for (const secret of secrets) expect(log).not.toContain(secret)
    expect(log).toContain('/v1/auth/reset-password/********')
    for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('msg')
  })
})
