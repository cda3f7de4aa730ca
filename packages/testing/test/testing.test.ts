import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { afterAwake, fixedClock, freePort, localServer, tempDir, until } from '../src'

test('a fixed clock stands until it is moved', () => {
  const clock = fixedClock('2026-01-31T23:59:59Z')
  expect(clock()).toEqual(clock())
  clock.advance(1000)
  expect(clock().toISOString()).toBe('2026-02-01T00:00:00.000Z')
  clock.set('2026-03-01')
  expect(clock().toISOString()).toBe('2026-03-01T00:00:00.000Z')
  expect(() => fixedClock('soon')).toThrow('soon')
})

test('until answers with the value, takes a throw for not yet, and says what it waited for', async () => {
  let calls = 0
  const third = () => {
    if (++calls === 1) throw new Error('not yet')
    return calls === 3 && 'third'
  }
  expect(await until(third)).toBe('third')
  await expect(until(() => false, { timeoutMs: 20, what: 'the impossible' })).rejects.toThrow('the impossible')
})

test('what comes after a time in which the process ran does not come because it stood still', async () => {
  let isOver = false
  afterAwake(1000, () => {
    isOver = true
  })
  Bun.sleepSync(1500)
  // There is a tick in each turn at the most.
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(isOver).toBe(false)
  await until(() => isOver)
})

test('a local server answers and keeps what it was asked', async () => {
  const server = localServer(async (request) => new Response((await request.text()).toUpperCase()))
  const post = { method: 'POST', body: 'hello', headers: { 'x-key': '1' } }
  expect(await (await fetch(`${server.url}/a?b=1`, post)).text()).toBe('HELLO')
  expect(server.requests).toMatchObject([{ method: 'POST', path: '/a?b=1', body: 'hello' }])
  expect(server.requests[0]?.headers.get('x-key')).toBe('1')
  server.answer(() => new Response(null, { status: 503 }))
  expect((await fetch(server.url)).status).toBe(503)
  await server.stop()
  await expect(fetch(server.url)).rejects.toThrow()
})

test('temporary folders are new each time', () => {
  expect(tempDir()).not.toBe(tempDir())
})

test('no other process of tests gets a port of this one', async () => {
  const ours = new Set<number>()
  for (let n = 0; n < 1000; n++) ours.add(await freePort())
  const ask = `import { freePort } from '../src'; process.stdout.write(String(await freePort()))`
  const child = Bun.spawn([process.execPath, '-e', ask], { cwd: import.meta.dir, stdout: 'pipe' })
  const port = Number(await child.stdout.text())
  expect(port).toBeGreaterThan(1024)
  expect(ours).not.toContain(port)
})

test('a killed process leaves neither its Redis nor its folders behind', async () => {
  const child = Bun.spawn([process.execPath, `${import.meta.dir}/abandon.child.ts`], { stdout: 'pipe' })
  const { value } = await child.stdout.getReader().read()
  const { port, dir } = JSON.parse(new TextDecoder().decode(value)) as { port: number; dir: string }
  child.kill('SIGKILL')
  await until(() => !existsSync(dir), { what: 'the folder to be gone' })
  const connect = () => Bun.connect({ hostname: '127.0.0.1', port, socket: { data() {} } })
  await until(
    () =>
      connect().then(
        () => false,
        () => true,
      ),
    { what: 'its Redis to be gone' },
  )
  expect(await freePort()).toBeGreaterThan(1024)
})
