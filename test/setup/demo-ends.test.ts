// The demo's own stack, when the demo is ended by a signal.
import { expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive, tempDir, until } from '@bursar/testing'

const module = JSON.stringify(join(import.meta.dir, '../../scripts/demo/own-stack'))

test.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)('ends with it (%s)', async (signal) => {
  const TMPDIR = tempDir()
  const program = `import { startOwnStack } from ${module}\nawait startOwnStack(process.env)`
  const env = { PATH: process.env.PATH, REDIS_SERVER: process.env.REDIS_SERVER, TMPDIR }
  const demo = Bun.spawn([process.execPath, '-e', program], { env, stdout: 'ignore', stderr: 'ignore' })
  const pidFile = () => join(TMPDIR, readdirSync(TMPDIR)[0] ?? '', 'stack.pid')
  const pid = await until(() => existsSync(pidFile()) && Number(readFileSync(pidFile(), 'utf8')), { what: 'the stack' })
  demo.kill(signal)
  await demo.exited
  await until(() => !isAlive(pid), { what: 'its end' })
  // What is killed removes nothing any more.
  if (signal !== 'SIGKILL') expect(readdirSync(TMPDIR)).toEqual([])
})
