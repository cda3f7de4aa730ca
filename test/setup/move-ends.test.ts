// A move that is killed while the Redis of the data folder runs for it.
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort, isAlive, tempDir, until } from '@bursar/testing'

const module = JSON.stringify(join(import.meta.dir, '../../scripts/move/waiting-events'))

test.each(['SIGKILL', 'SIGINT'] as const)('takes that with it (%s)', async (signal) => {
  const dataDir = tempDir()
  mkdirSync(join(dataDir, 'redis'))
  const started = join(dataDir, 'started')
  const server = join(dataDir, 'redis-server')
  // One that never answers: the move waits for it.
  const says = `[ "$1" = --version ] && exec echo 'Redis server v=7.2.0'\necho $$ > '${started}.new'\nmv '${started}.new' '${started}'`
  writeFileSync(server, `#!/bin/sh\n${says}\nexec sleep 1000\n`, { mode: 0o700 })
  const INTERNAL_SECRET = Buffer.alloc(32, 7).toString('base64')
  const program = `import { eventsInRedis } from ${module}
    await eventsInRedis(${JSON.stringify(dataDir)}, { INTERNAL_SECRET: '${INTERNAL_SECRET}' }, () => {})`
  const env = { PATH: process.env.PATH, REDIS_SERVER: server, REDIS_PORT: String(await freePort()) }
  const move = Bun.spawn([process.execPath, '-e', program], { env, stdout: 'ignore', stderr: 'ignore' })
  await until(() => existsSync(started), { what: 'the server' })
  const pid = Number(readFileSync(started, 'utf8'))
  move.kill(signal)
  await move.exited
  await until(() => !isAlive(pid), { what: 'its end' })
  expect(isAlive(pid)).toBe(false)
})
