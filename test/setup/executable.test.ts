// `bun run build --executable`: one file, on a machine that has a Redis and neither Bun nor Node.
import { afterEach, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort, tempDir, until } from '@bursar/testing'
import { provideRedisServer } from '../../scripts/stack/redis-server'
import { executable } from '../executable'

const root = dirname(dirname(import.meta.dir))
const folder = tempDir()
const program = join(folder, 'programs/bursar')
/** The folder of settings and data: not that of the program. */
const home = join(folder, "the desk's")
const ports = new Map<ServiceName, number>()
const url = (name: ServiceName) => `http://127.0.0.1:${ports.get(name)}`
const env = { PATH: '/usr/bin:/bin', BURSAR_HOME: home }
let stack: Bun.Subprocess | undefined

beforeAll(async () => {
  mkdirSync(dirname(program))
  copyFileSync(await executable(), program)
  mkdirSync(home)
  const settings = [
    'LOG_LEVEL=warn',
    "ADMIN_PASSWORD='a long one, with spaces'",
    `REDIS_PORT=${await freePort()}`,
    `REDIS_SERVER=${await provideRedisServer(() => {})}`,
  ]
  for (const name of serviceNames) {
    ports.set(name, await freePort())
    settings.push(`${services[name].slug.toUpperCase()}_PORT=${ports.get(name)}`)
  }
  writeFileSync(join(home, '.env'), `# Settings\n${settings.join('\n')}\n`)
})
afterEach(async () => {
  stack?.kill('SIGTERM')
  await stack?.exited
})

async function run(...args: string[]) {
  const child = Bun.spawn([program, ...args], { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, error, code }
}

test('says what it does, and refuses what it does not know', async () => {
  expect(await run('--help')).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringContaining('Usage: bursar <command>'),
  })
  expect(await run('begin')).toMatchObject({ code: 1, error: 'There is no command begin.\n\n' })
  // Commands name each other as they are called here.
  expect((await run('backup', '--help')).out).toStartWith('Usage: bursar backup [folder]')
  expect(await run('start', '--help')).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringMatching(/^Usage: bursar start \[options\]\n/),
  })
  const [stopped, none] = [await run('status', '--data-dir', 'elsewhere'), 'Nothing runs on']
  expect(stopped.code).toBe(3)
  expect(stopped.out).toBe(`${none} ${home}/elsewhere.\nNo backup was ever taken: bursar backup\n`)
  expect(await run('stop')).toMatchObject({ code: 0, out: `Nothing runs on ${home}/data.\n` })
})

test('runs everything: services, console, pages, backup, restore drill, and stops in order', async () => {
  stack = Bun.spawn([program, 'start'], { cwd: folder, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  let said = ''
  for (const stream of [stack.stdout, stack.stderr])
    void (async () => {
      for await (const chunk of stream as ReadableStream<Uint8Array>) said += new TextDecoder().decode(chunk)
    })()
  await until(() => said.includes('Bursar is ready') || stack?.exitCode !== null, {
    what: 'the start',
  })
  expect([stack.exitCode, said]).toEqual([null, expect.stringContaining('Bursar is ready')])
  expect(existsSync(join(folder, 'data'))).toBe(false)

  // Who logs in with the password of .env makes a customer through the gateway.
  const logIn = await fetch(`${url('gateway')}/identity/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'admin@localhost', password: 'a long one, with spaces' }),
  })
  expect(logIn.status).toBe(200)
  const { data } = (await logIn.json()) as { data: { accessToken: string } }
  const headers = { authorization: `Bearer ${data.accessToken}`, 'content-type': 'application/json' }
  const customers = `${url('gateway')}/customer/v1/customers`
  const body = JSON.stringify({ externalId: 'c-1', status: 'active' })
  expect((await fetch(customers, { method: 'POST', headers, body })).status).toBe(201)
  expect((await (await fetch(customers, { headers })).json()) as unknown[]).toHaveLength(1)

  // What was read from files of the checkout comes along.
  const console_ = await fetch(`${url('gateway')}/console`)
  const page = await console_.text()
  const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(page) ?? []
  expect([console_.status, (await fetch(url('gateway') + script)).status]).toEqual([200, 200])
  for (const path of ['/swagger', '/swagger/swagger-ui-bundle.js', '/swagger/json'])
    expect([path, (await fetch(url('quote') + path)).status]).toEqual([path, 200])
  const weak = await fetch(`${url('gateway')}/identity/v1/auth/login`, { method: 'POST', headers, body: '{}' })
  expect(weak.status).toBe(400)
  const lists = (await (await fetch(`${url('sanctions')}/v1/sanctions/lists`)).json()) as
    | { data?: unknown[] }
    | unknown[]
  expect(JSON.stringify(lists)).toContain('OFAC SDN')

  // So much that a thread folds the write-ahead log into the database's file.
  const message = JSON.stringify({ type: 'JSON', participantId: 'p', data: { x: 'x'.repeat(900_000) } })
  for (let i = 0; i < 45; i++)
    expect((await fetch(`${url('message')}/v1/messages`, { method: 'POST', headers, body: message })).status).toBe(201)
  await until(() => statSync(join(home, 'data/message.sqlite')).size > 20_000_000, { what: 'the checkpoint' })
  expect(said).not.toContain('No checkpoint in the background')

  // On a busy machine a service may wait too long for Redis.
  const isWell = async () => {
    const ran = await run('status')
    return ran.code === 0 && ran
  }
  const status = await until(isWell, { what: 'the health of all services' })
  expect(status.out).toMatch(/^Bursar runs on .*\/data since \d{4}-\d\d-\d\dT\S+Z \(\d+ min, process \d+\)\.\n/)
  for (const name of ports.keys()) expect(status.out).toMatch(new RegExp(`^  ${name} +ok +${url(name)}$`, 'm'))
  expect(status).toMatchObject({ code: 0, error: '' })
  const doctor = await run('doctor', '--quiet')
  expect([doctor.error, doctor.out]).toEqual(['', expect.stringContaining('0 wrong, ')])

  const backup = await run('backup')
  expect(backup).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringContaining('The audit of the copy found nothing'),
  })
  const [name = ''] = readdirSync(join(home, 'backups'))
  const drill = await run('restore', '--drill', `backups/${name}`)
  expect(drill).toMatchObject({ code: 0, error: '', out: expect.stringContaining(' can be restored.') })
  expect((await run('status')).out).toContain('The newest backup is of ')
  expect((await run('audit')).out).toContain('The books are right')

  const second = await run('start')
  expect(second).toMatchObject({ code: 1, error: expect.stringContaining(`is in use by process ${stack.pid}: `) })
  expect(await run('stop')).toMatchObject({
    code: 0,
    error: '',
    out: expect.stringMatching(/^Everything has stopped \(/),
  })
  expect(await stack.exited).toBe(0)
  expect((await run('status')).code).toBe(3)
})

test('the commands of docs/operations.md work as they stand there', async () => {
  const page = readFileSync(join(root, 'docs/operations.md'), 'utf8')
  const [block = '', ...others] = [...page.matchAll(/^```sh executable\n([\s\S]*?)^```$/gm)].map(
    ([, text = '']) => text,
  )
  expect([block.includes('./bursar stop'), others]).toEqual([true, []])
  const shell = Bun.spawn(['sh', '-e', '-c', block], { cwd: dirname(program), env, stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([shell.stdout.text(), shell.stderr.text(), shell.exited])
  expect([code, error]).toEqual([0, ''])
  expect(out).toMatch(/^Bursar runs on /m)
  expect(out).toContain('Everything has stopped')
})
