import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { freePort, localServer, tempDir } from '@bursar/testing'
import { freePorts } from '../../scripts/demo/own-stack'
import { isFree } from '../../scripts/stack/ports'
import { runCommand } from '../commands'

async function demo(env: Record<string, string>, args: string[] = []) {
  const { code, out, error } = await runCommand('demo', args, { env: { PATH: process.env.PATH, ...env } })
  return { code, said: out, complained: error }
}

test('bun run demo says what it needs', async () => {
  const { code, said } = await demo({}, ['--help'])
  expect(code).toBe(0)
  for (const word of ['scripts/start', 'ADMIN_PASSWORD', 'OUTBOUND_ALLOW', 'SMTP_URL', 'FOUR_EYES_USD'])
    expect(said).toContain(word)
  expect(await demo({}, ['--fast'])).toMatchObject({
    code: 1,
    complained: 'There is no option --fast. See bun run demo --help\n',
  })
})

test('without a stack, without the administrator’s password, and with a mail server, bun run demo says so in a line', async () => {
  const url = `http://127.0.0.1:${await freePort()}`
  expect(await demo({ GATEWAY_URL: url })).toEqual({
    code: 1,
    said: '',
    complained: `No gateway answers at ${url}. Start the stack first: scripts/start\n`,
  })
  const gateway = localServer(() => Response.json({ status: 'ok' }))
  const { code, complained } = await demo({ GATEWAY_URL: gateway.url })
  const withServer = { GATEWAY_URL: gateway.url, ADMIN_PASSWORD: 'any', SMTP_URL: 'smtp://mail.example' }
  const cannotRead = await demo(withServer)
  await gateway.stop()
  expect({ code, complained }).toEqual({ code: 1, complained: 'ADMIN_PASSWORD is not set; see bun run demo --help\n' })
  expect(cannotRead).toEqual({
    code: 1,
    said: '',
    complained: 'SMTP_URL is set, and the demo cannot read the mails that it sends; see its --help\n',
  })
})

test('where its payments take two persons, bun run demo says so before it begins', async () => {
  const refused = await demo({ FOUR_EYES_USD: '1000' })
  expect(refused).toEqual({
    code: 1,
    said: '',
    complained: 'FOUR_EYES_USD=1000 asks for two persons, and the demo has one; see its --help\n',
  })
  expect(
    (await demo({ FOUR_EYES_USD: '1001', GATEWAY_URL: `http://127.0.0.1:${await freePort()}` })).complained,
  ).toContain('No gateway')
})

test('what the gateway refuses ends bun run demo with its words', async () => {
  const refusal = { error: { code: 'UNAUTHORIZED', message: 'The address or the password is wrong' } }
  const gateway = localServer((request) =>
    request.url.endsWith('/health') ? Response.json({ status: 'ok' }) : Response.json(refusal, { status: 401 }),
  )
  const { code, complained } = await demo({ GATEWAY_URL: gateway.url, ADMIN_PASSWORD: 'wrong' })
  await gateway.stop()
  expect(code).toBe(1)
  expect(complained).toContain('The address or the password is wrong')
})

test('where the stack sends no webhooks to this machine, bun run demo says so before it has made anything', async () => {
  const asked: string[] = []
  const gateway = localServer((request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname}`)
    if (pathname === '/health') return Response.json({ status: 'ok' })
    if (pathname.endsWith('/login'))
      return Response.json({ data: { accessToken: 't', user: { id: 'u', name: 'Administrator' } } })
    return Response.json({ error: { code: 'INVALID_REQUEST', message: 'url is not public' } }, { status: 400 })
  })
  const { code, complained } = await demo({ GATEWAY_URL: gateway.url, ADMIN_PASSWORD: 'right' })
  await gateway.stop()
  expect(code).toBe(1)
  expect(complained).toContain('start the stack with OUTBOUND_ALLOW=127.0.0.1')
  expect(asked).toEqual(['GET /health', 'POST /identity/v1/auth/login', 'POST /webhook/v1/webhooks/endpoints'])
})

// A port of those that the system gives away may be another program's by the time that its service is started.
test('the ports of a stack of its own are free, and none that the system gives away by itself', async () => {
  const ports = await freePorts(200)
  expect(new Set(ports).size).toBe(200)
  for (const port of ports) expect(port).toBeWithin(1024, 32_768)
  const [port = 0] = ports
  const server = Bun.serve({ hostname: '127.0.0.1', port, reusePort: false, fetch: () => new Response() })
  expect(await isFree(port)).toBe(false)
  await server.stop(true)
  expect(await isFree(port)).toBe(true)
})

test('without a setting but ports bun run demo tells its story on a stack of its own, and leaves nothing behind', async () => {
  const folder = tempDir()
  const { REDIS_SERVER = '' } = process.env
  const ports = { GATEWAY_PORT: '4000', REDIS_PORT: '4379' }
  const { code, said, complained } = await demo({ REDIS_SERVER, TMPDIR: folder, ...ports })
  expect({ code, complained }).toEqual({ code: 0, complained: '' })
  expect(said).toContain('starts one of its own')
  expect(said).toContain('Audit: The books are right')
  expect(existsSync(folder) && readdirSync(folder)).toEqual([])
})
