// The story of the demo on the stack as it is started for real: a process for each service, from the program of
// `bun run build`, which answer nobody but the gateway and each other.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { freePort, type TestRedis, tempDir, testRedis, until } from '@bursar/testing'
import { builtServices } from '@bursar/testing/platform'
import { makeProgram } from '../../scripts/build/program'
import { makeCheapSeed } from '../cheap-seed'
import { lineOfCommand } from '../commands'
import { storyOf, storySettings } from './story'

const root = join(import.meta.dir, '../..')
let redis: TestRedis
let stack: Bun.Subprocess
let env: Record<string, string>
const urlOf = (name: ServiceName) => `http://127.0.0.1:${env[`${services[name].slug.toUpperCase()}_PORT`]}`
const answers = async (name: ServiceName) => (await fetch(`${urlOf(name)}/health`)).ok

beforeAll(async () => {
  redis = await testRedis()
  const ports = await Promise.all(
    builtServices().map(async (name) => [`${services[name].slug.toUpperCase()}_PORT`, String(await freePort())]),
  )
  env = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    INTERNAL_AUTH: 'required',
    DATA_DIR: tempDir(),
    REDIS_URL: redis.url,
    ...Object.fromEntries(ports),
    ...storySettings,
  }
  await makeCheapSeed(env.DATA_DIR ?? '')
  // A run of all tests has made them.
  await makeProgram(root)
  const command = await lineOfCommand('run-stack', '--no-restart')
  stack = Bun.spawn(command, { cwd: root, env, stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' })
  for (const name of builtServices()) await until(() => answers(name), { what: name })
})
afterAll(async () => {
  stack?.kill('SIGTERM')
  await stack?.exited
  await redis?.stop()
})

test.skipIf(process.platform !== 'linux')('every service runs from the compiled program', async () => {
  const text = (path: string) => Bun.file(`/proc/${path}`).text()
  const children = (await text(`${stack.pid}/task/${stack.pid}/children`)).trim().split(' ')
  const commands = await Promise.all(children.map((pid) => text(`${pid}/cmdline`)))
  const compiled = commands.filter((command) => command.includes('.cache/build/'))
  expect(compiled).toHaveLength(builtServices().length)
})

test('a service answers nobody who does not prove who it is', async () => {
  expect((await fetch(`${urlOf('customer')}/v1/customers`)).status).toBe(401)
})

test('the story goes through on a process for each service', async () => {
  const { lines } = await storyOf(urlOf('gateway'), env)
  expect(lines.some((line) => line.startsWith('Audit: The books are right'))).toBe(true)
})
