import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freePort, tempDir, testRedis, until } from '@bursar/testing'

const root = join(import.meta.dir, '../..')

test('all services run in one process, on their own ports, and stop together', async () => {
  const redis = await testRedis()
  const [quote, tracker] = [await freePort(), await freePort()]
  const environment = { QUOTE_PORT: `${quote}`, TRACKER_PORT: `${tracker}`, REDIS_URL: redis.url, DATA_DIR: tempDir() }
  const stack = Bun.spawn([process.execPath, 'scripts/all.ts', 'quote', 'log-tracker'], {
    cwd: root,
    env: { ...process.env, ...environment, NODE_ENV: 'production' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  try {
    const healthy = async (port: number) => (await fetch(`http://127.0.0.1:${port}/health`)).status === 200
    await until(() => healthy(quote), { what: 'the quote service', timeoutMs: 15_000 })
    await until(() => healthy(tracker), { what: 'the log tracker', timeoutMs: 15_000 })
    // One error shape each, although they share a process.
    const shapeOf = async (port: number) => {
      const response = await fetch(`http://127.0.0.1:${port}/none`)
      return Object.keys((await response.json()) as object)
    }
    expect(await shapeOf(quote)).toContain('statusCode')
    expect(await shapeOf(tracker)).toEqual(['error'])
    stack.kill('SIGTERM')
    expect(await stack.exited).toBe(0)
  } finally {
    stack.kill('SIGKILL')
    await redis.stop()
  }
}, 60_000)
