// The services of money on a chain as processes of their own, which can be killed, and a client that does not give up.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, testRedis, until } from '@bursar/testing'
import type { Answer } from '@bursar/testing/service'
import { withAllocator } from '../../scripts/stack/allocator'
import { freeAddresses } from '../addresses'
import { makeCheapSeed } from '../cheap-seed'
import { lineOfServices, runCommand } from '../commands'

const root = join(import.meta.dir, '../..')
export const chainServices = ['customer', 'account', 'core-ledger', 'wallet', 'blockchain'] as const
export type ChainService = (typeof chainServices)[number] | 'notification'
export type Stack = Awaited<ReturnType<typeof startStack>>

/** How long a service may stay away before it counts as lost. */
const patienceMs = 60_000
/** Of Linux, whatever its own clock. */
const msPerTick = 10

/** The services of a process each. */
export type Groups = readonly (readonly ChainService[])[]

/** `options` are those of Bun for a service's process. What is started or killed is the process of a service. */
export async function startStack(
  settings: Record<string, string> = {},
  options: (name: ChainService) => string[] = () => [],
  groups: Groups = chainServices.map((name) => [name]),
) {
  const redis = await testRedis()
  const all = groups.flat()
  const { env, urls, dataDir } = await settingsOf(redis.url, all, settings)
  const running = new Map<string, Bun.Subprocess>()
  const groupOf = (name: ChainService) => groups.find((group) => group.includes(name)) ?? [name]

  function start(name: ChainService): void {
    const group = groupOf(name)
    const place = { cwd: root, env: withAllocator(env), stdin: 'ignore', stdout: 'ignore', stderr: 'inherit' } as const
    const given = options(name)
    // Options of Bun are for sources.
    const sources = [process.execPath, '--no-env-file', ...given, 'scripts/all.ts', ...group]
    running.set(group.join(), Bun.spawn(given.length > 0 ? sources : lineOfServices(...group), place))
  }
  /** Resolves with its exit code. */
  async function kill(name: ChainService, signal: NodeJS.Signals = 'SIGKILL'): Promise<number | undefined> {
    const key = groupOf(name).join()
    const process = running.get(key)
    running.delete(key)
    process?.kill(signal)
    return await process?.exited
  }
  const ready = (name: ChainService) =>
    until(async () => (await fetch(`${urls.get(name)}/health`)).status === 200, {
      what: `${name} to be healthy`,
      timeoutMs: patienceMs,
    })

  /** Asks until there is an answer of the service's own: a 5xx, or none, may or may not have acted. */
  async function ask<Body = Answer['body']>(
    name: ChainService,
    method: string,
    path: string,
    body?: unknown,
    key: string = crypto.randomUUID(),
  ): Promise<{ status: number; body: Body }> {
    const headers: Record<string, string> = method === 'GET' ? {} : { 'idempotency-key': key }
    if (body !== undefined) headers['content-type'] = 'application/json'
    return await until(
      async () => {
        const signal = AbortSignal.timeout(5000)
        const text = body === undefined ? undefined : JSON.stringify(body)
        const answer = await fetch(`${urls.get(name)}/v1${path}`, { method, headers, body: text, signal })
        const isUnderWay = answer.status === 409 && method !== 'GET'
        if (answer.status >= 500 || isUnderWay)
          throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
        return { status: answer.status, body: (await answer.json()) as Body }
      },
      { what: `${name} to answer ${method} ${path}`, timeoutMs: patienceMs },
    )
  }

  /** Runs one of the project's scripts on the stack. */
  const run = (script: string, args: string[] = []) => runCommand(script, args, { env })

  /** Processor time that a service has used, in milliseconds: it says more than the clock on a machine that is shared. */
  function cpuMs(name: ChainService): number {
    const fields = readFileSync(`/proc/${running.get(groupOf(name).join())?.pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ')
    return (Number(fields[11]) + Number(fields[12])) * msPerTick
  }

  for (const [name] of groups) if (name) start(name)
  await Promise.all(all.map(ready))
  return {
    redis,
    dataDir,
    urlOf: (name: ChainService) => urls.get(name) ?? '',
    ask,
    run,
    start,
    kill,
    ready,
    /** Of all services. */
    allReady: () => Promise.all(all.map(ready)),
    cpuMs,
    async close() {
      await Promise.all(all.map((name) => kill(name)))
      await redis.stop()
    },
  }
}

/** A data folder, ports, and the settings that name them. */
async function settingsOf(redisUrl: string, names: readonly ChainService[], settings: Record<string, string>) {
  const dataDir = tempDir()
  await makeCheapSeed(dataDir)
  const { urls, settings: addresses } = await freeAddresses(names)
  const env: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'silent',
    ...settings,
    ...addresses,
  }
  return { env, urls, dataDir }
}
