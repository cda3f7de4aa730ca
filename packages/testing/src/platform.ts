import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isServiceName, type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import type { Environment, RunningService } from '@bursar/http'
import { readKeyFile } from '@bursar/http/key-file'
import { cheapPasswords } from './cheap-passwords'
import { freePort } from './free-port'
import { patience } from './patience'
import { knowReservedNames } from './reserved-names'
import { databaseSettings, dropDatabase } from './service/databases'
import { makeMigrated } from './service/migrated-file'
import { type Requests, requestsTo } from './service/requests'
import type { Kept } from './service/stored'
import { tempDir } from './temp-dir'
import { type TestRedis, testRedis } from './test-redis'
import { until } from './until'

/** Several services as they run, with a Redis and a data folder of their own. */
export interface TestPlatform {
  redis: TestRedis
  dataDir: string
  /** Settings of the services. */
  env: Environment
  /** `http://127.0.0.1:<port>`; stays the same when the service is stopped and started. */
  url(name: ServiceName): string
  /** Where a service keeps its data. */
  kept(name: ServiceName): Kept
  /** Sends requests to a service; `prefix` is `/v1` unless given. */
  to(name: ServiceName, prefix?: string): Requests
  /** Stops one of them; does nothing when it is stopped. */
  stop(name: ServiceName): Promise<void>
  /** Starts it again, on its port and with its database. */
  start(name: ServiceName): Promise<void>
  /**
   * Resolves once nothing is left to do: every event is published and handled, every worker is idle. Throws after three minutes.
   * Work that waits for its time (a retry that is due later) keeps it waiting.
   */
  settle(): Promise<void>
  /** Stops everything. */
  close(): Promise<void>
}

/** With DATABASE_URL no service makes a key: all instances need the same. */
function giveKeys(dataDir: string): void {
  for (const file of keyFiles) readKeyFile(dataDir, file)
}

const keyFiles = [
  'internal.secret',
  'main-api.key',
  'participant.key',
  'quote.key',
  'webhook.key',
  'identity.key',
  'wallet.passphrase',
]

interface ServiceModules {
  migrations: string
  config(env: Environment): { dataDir: string }
  start(config: unknown): Promise<RunningService>
}

const folder = join(import.meta.dir, '../../../services')

/** The services that this checkout has. */
export const builtServices = (): ServiceName[] =>
  readdirSync(folder)
    .filter((name): name is ServiceName => isServiceName(name) && existsSync(join(folder, name, 'src/service.ts')))
    .sort()

/** Starts a service as its own process would, with the settings that are given. */
export async function startBuilt(name: ServiceName, env: Environment): Promise<RunningService> {
  const [{ config }, { migrations, start }] = (await Promise.all([
    import(join(folder, name, 'src/config.ts')),
    import(join(folder, name, 'src/service.ts')),
  ])) as [ServiceModules, ServiceModules]
  const read = config(env)
  await makeMigrated({ file: join(read.dataDir, `${services[name].slug}.sqlite`), migrations })
  if (env.DATABASE_URL) giveKeys(read.dataDir)
  if (name === 'wallet') await makeCheapSeed(read)
  return await start(read)
}

interface WalletKeys {
  hasSeedFile(dataDir: string): boolean
  createSeedFile(dataDir: string, passphrase: string, options: { now: Date; cost: number }): Promise<void>
  passphrasesOf(dataDir: string, given: string | undefined): [string, ...string[]]
}

/**
 * Makes the wallet's seed if there is none: as its first start does, but with a cheap scrypt. That of production takes
 * a third of a second of processor time, at each start and twice at the first.
 */
async function makeCheapSeed({ dataDir, passphrase }: { dataDir: string; passphrase?: string }): Promise<void> {
  const [seedFile, words] = await Promise.all([
    import(join(folder, 'wallet/src/keys/seed-file.ts')),
    import(join(folder, 'wallet/src/keys/passphrase.ts')),
  ])
  const { hasSeedFile, createSeedFile, passphrasesOf }: WalletKeys = { ...seedFile, ...words }
  if (hasSeedFile(dataDir)) return
  await createSeedFile(dataDir, passphrasesOf(dataDir, passphrase)[0], { now: new Date(), cost: 2 ** 4 })
}

const usual: Environment = {
  LOG_LEVEL: 'silent',
  // Tests stop services to see what happens while they are away.
  RESTART_WAIT_MS: '0',
  // Each step of a movement waits for it; it is two seconds in production.
  NETWORK_POLL_MS: '100',
}

/** The discard port, where nothing answers. */
const nowhere = 'http://127.0.0.1:9'

/** The setting of a service's port, or of its address for others. */
export const settingOf = (name: ServiceName, what: 'PORT' | 'URL') => `${services[name].slug.toUpperCase()}_${what}`

/**
 * Boots the named services in this process, each as its `start` does, on free ports. Services that are not named cannot
 * be reached, unless `env` has their `<SLUG>_URL`. Until it is closed, this process hashes passwords cheaply, and is
 * patient with calls.
 */
export async function testPlatform(names: readonly ServiceName[], env: Environment = {}): Promise<TestPlatform> {
  knowReservedNames()
  const redis = await testRedis()
  const usualPasswords = cheapPasswords()
  const usualLimits = patience()
  const dataDir = tempDir()
  const urls = new Map<ServiceName, string>()
  const all: Environment = {
    ...usual,
    DATA_DIR: dataDir,
    MAIL_DIR: join(env.DATA_DIR ?? dataDir, 'mail'),
    REDIS_URL: redis.url,
    ...(await databaseSettings(dataDir)),
  }
  for (const name of serviceNames) all[settingOf(name, 'URL')] = nowhere
  for (const name of names) {
    const port = await freePort()
    urls.set(name, `http://127.0.0.1:${port}`)
    all[settingOf(name, 'PORT')] = String(port)
    all[settingOf(name, 'URL')] = urls.get(name)
  }
  Object.assign(all, env)
  const running = new Map<ServiceName, RunningService>()

  const urlOf = (name: ServiceName): string => {
    const url = urls.get(name)
    if (!url) throw new Error(`${name} is not among the services of this platform`)
    return url
  }
  const start = async (name: ServiceName) => {
    if (!running.has(name)) running.set(name, await startBuilt(name, all))
  }
  const stop = async (name: ServiceName) => {
    await running.get(name)?.stop()
    running.delete(name)
  }
  const close = async () => {
    await Promise.all([...running.keys()].map(stop))
    usualPasswords()
    usualLimits()
    await redis.stop()
    await dropDatabase(all)
  }
  const outcomes = await Promise.allSettled(names.map(start))
  const failed = outcomes.find((outcome) => outcome.status === 'rejected')
  if (failed) {
    await close()
    throw failed.reason
  }

  return {
    redis,
    dataDir,
    env: all,
    url: urlOf,
    kept: (name) => ({ file: join(dataDir, `${services[name].slug}.sqlite`), env: all }),
    to(name, prefix = '/v1') {
      const base = urlOf(name)
      const handle = (request: Request) => fetch(new Request(request.url.replace('http://localhost', base), request))
      return requestsTo({ handle }, prefix)
    },
    start,
    stop,
    settle: () => until(() => isSettled([...running.values()]), { what: 'all services to settle' }).then(() => {}),
    close,
  }
}

/** Asked twice: an event may move from a service not yet asked to one already asked. */
async function isSettled(running: readonly RunningService[]): Promise<boolean> {
  for (let round = 0; round < 2; round++) {
    const answers = await Promise.all(running.map((service) => service.settled()))
    if (!answers.every(Boolean)) return false
  }
  return true
}
