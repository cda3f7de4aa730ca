import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { freePort, type TestRedis, testRedis } from '@bursar/testing'
import { type Disk, mountDisk } from './disk'
import { type Supervised, supervised } from './supervisor'

export const names = ['customer', 'account', 'core-ledger', 'log-tracker'] as const
export type Name = (typeof names)[number]

const root = join(import.meta.dir, '../../..')
/** Of Debian's package faketime. */
export const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1'

/** The services as processes of their own, over one data folder on a file system of their own. */
export interface Stack {
  redis: TestRedis
  disk: Disk
  dataDir: string
  /** Their logs; it stays after the run. */
  logs: string
  url(name: Name): string
  /** How often a process ended unasked, by its exit code. */
  ends: Record<string, number>
  /** Starts it; `clock` moves its wall clock (faketime's words, `+365d`). */
  start(name: Name, clock?: string): Promise<void>
  kill(name: Name): Promise<void>
  stop(name: Name): Promise<void>
  close(): Promise<void>
}

export async function startStack(walletUrl: string): Promise<Stack> {
  const redis = await testRedis()
  const disk = mountDisk()
  const logs = mkdtempSync(join(tmpdir(), 'bursar-hour-'))
  const ends: Record<string, number> = {}
  const { env, urls } = await settings(disk.folder, redis.url, walletUrl)
  const programs = new Map<Name, Supervised>()
  for (const name of names) {
    programs.set(
      name,
      supervised({
        command: [process.execPath, '--no-env-file', join(root, 'services', name, 'src/main.ts')],
        env,
        cwd: logs,
        log: join(logs, `${name}.log`),
        readyUrl: `${urls[name]}/health`,
        onUnaskedEnd(code) {
          ends[`${name} ${code}`] = (ends[`${name} ${code}`] ?? 0) + 1
        },
      }),
    )
  }
  const end = async (name: Name, signal: 'SIGKILL' | 'SIGTERM') => await programs.get(name)?.end(signal)
  return {
    redis,
    disk,
    dataDir: disk.folder,
    logs,
    ends,
    url: (name) => urls[name],
    start: async (name, clock) => await programs.get(name)?.start(clock ? movedClock(clock) : {}),
    kill: (name) => end(name, 'SIGKILL'),
    stop: (name) => end(name, 'SIGTERM'),
    async close() {
      for (const name of names) await end(name, 'SIGTERM')
      await redis.stop()
      disk.unmount()
    },
  }
}

const movedClock = (clock: string) => ({
  LD_PRELOAD: faketime,
  FAKETIME: clock,
  FAKETIME_DONT_FAKE_MONOTONIC: '1',
  DONT_FAKE_MONOTONIC: '1',
})

/** The discard port, where nothing answers. */
const nowhere = 'http://127.0.0.1:9'

async function settings(dataDir: string, redisUrl: string, walletUrl: string) {
  const env: Record<string, string> = {
    NODE_ENV: 'production',
    DATA_DIR: dataDir,
    REDIS_URL: redisUrl,
    LOG_LEVEL: 'info',
    LOG_FORMAT: 'json',
  }
  for (const name of serviceNames) env[setting(name, 'URL')] = nowhere
  env.WALLET_URL = walletUrl
  const urls = {} as Record<Name, string>
  for (const name of names) {
    const port = String(await freePort())
    urls[name] = `http://127.0.0.1:${port}`
    env[setting(name, 'PORT')] = port
    env[setting(name, 'URL')] = urls[name]
  }
  return { env, urls }
}

const setting = (name: ServiceName, what: 'PORT' | 'URL') => `${services[name].slug.toUpperCase()}_${what}`
