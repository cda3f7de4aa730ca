import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { services } from '@bursar/contracts/services'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'

const root = join(import.meta.dir, '../..')

test('all services run in one process, on their own ports, and stop together', async () => {
  const redis = await testRedis()
  const names = builtServices()
  const ports = new Map(await Promise.all(names.map(async (name) => [name, await freePort()] as const)))
  const settings = [...ports].map(([name, port]) => [`${services[name].slug.toUpperCase()}_PORT`, `${port}`])
  const stack = Bun.spawn([process.execPath, 'scripts/all.ts'], {
    cwd: root,
    env: {
      ...process.env,
      ...Object.fromEntries(settings),
      REDIS_URL: redis.url,
      DATA_DIR: tempDir(),
      NODE_ENV: 'production',
    },
    // A pipe that nobody reads is full after 64 KiB, and then holds up who writes into it.
    stdout: 'ignore',
    stderr: 'inherit',
  })
  try {
    const answer = (port: number, path: string) => fetch(`http://127.0.0.1:${port}${path}`)
    for (const [name, port] of ports) {
      await until(async () => (await answer(port, '/health')).status === 200, { what: name })
    }
    // One error shape each, although they share a process.
    const shapes = new Map<string, string[]>()
    for (const [name, port] of ports) {
      shapes.set(name, Object.keys((await (await answer(port, '/none')).json()) as object))
    }
    expect(shapes.get('quote')).toContain('statusCode')
    expect(shapes.get('customer')).toEqual(['error'])
    expect(shapes.get('log-tracker')).toEqual(['error'])
    stack.kill('SIGTERM')
    expect(await stack.exited).toBe(0)
  } finally {
    stack.kill('SIGKILL')
    await redis.stop()
  }
})
