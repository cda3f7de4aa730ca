// A backup taken while services work, restored, and started again: real customer and core ledger services, a real Redis.
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { appendFileSync, existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir, until } from '@bursar/testing'
import { startBuilt, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { runCommand } from '../commands'

let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform(['customer', 'core-ledger'])
})
afterAll(() => platform.close())

const run = (script: string, args: string[], env: Record<string, string | undefined> = {}) =>
  runCommand(script, args, {
    env: { ...process.env, DATA_DIR: platform.dataDir, REDIS_URL: platform.redis.url, ...env },
  })

const backup = (folder: string, env?: Record<string, string>) => run('backup', [folder], env)
/** Of two of the sixteen services, and said so. */
const restore = (folder: string, dataDir: string, args = ['--incomplete']) =>
  run('restore', [folder, '--data-dir', dataDir, ...args], { REDIS_URL: '' })

/** What is said of a backup of these two. */
const lack = / It has no .*account\.sqlite, .*: a service without its database starts empty\./

function column(file: string, text: string): string[] {
  const database = new Database(file, { readonly: true })
  try {
    return database
      .query<Record<string, string>, []>(text)
      .all()
      .flatMap((row) => Object.values(row))
  } finally {
    database.close()
  }
}

const customersIn = (folder: string) => column(join(folder, 'customer.sqlite'), 'SELECT id FROM customers')
const replicasIn = (folder: string) => column(join(folder, 'core.sqlite'), 'SELECT id FROM customers')
/** The customers whose creation is still to be published. */
const announcedIn = (folder: string) =>
  column(
    join(folder, 'customer.sqlite'),
    "SELECT json_extract(envelope, '$.data.customer.id') FROM outbox WHERE name = 'customer.customer.created'",
  )
const without = (all: readonly string[], some: readonly string[]) => all.filter((one) => !new Set(some).has(one))

let made = 0
const createCustomer = async (): Promise<string> =>
  (await platform.to('customer').create('/customers', { externalId: `c-${++made}`, status: 'active' })).id

/** Creates customers, eight at once, until it is stopped; answers with the ids that were acknowledged. */
function load() {
  const acknowledged: string[] = []
  let stopped = false
  const callers = Array.from({ length: 8 }, async () => {
    while (!stopped) acknowledged.push(await createCustomer())
  })
  const stop = async () => {
    stopped = true
    await Promise.all(callers)
  }
  return { acknowledged, stop, [Symbol.asyncDispose]: stop }
}

describe('a backup under load', () => {
  const folder = join(tempDir(), 'copy')
  /** Acknowledged before the backup began. */
  let before: string[]
  /** How many were while it was taken. */
  let during: number
  let outcome: Awaited<ReturnType<typeof run>>

  beforeAll(async () => {
    await using writing = load()
    await until(() => writing.acknowledged.length > 200, { what: 'some load' })
    before = [...writing.acknowledged]
    outcome = await backup(folder)
    during = writing.acknowledged.length - before.length
  })

  test('agrees with itself: each event is with its consumer or in the outbox, and no effect is without its cause', () => {
    const { code, said } = outcome
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining('found nothing wrong') })
    expect(during).toBeGreaterThan(0)
    const customers = customersIn(folder)
    expect(without(before, customers)).toEqual([])
    expect(without(customers, [...replicasIn(folder), ...announcedIn(folder)])).toEqual([])
    expect(without(replicasIn(folder), customers)).toEqual([])
  })

  test('restored and started, it is whole', async () => {
    const dataDir = tempDir()
    expect(await restore(folder, dataDir)).toMatchObject({ code: 0 })
    const expected = customersIn(folder).sort()
    await using other = await startOn(dataDir)
    await until(async () => (await other.settled()) && replicasIn(dataDir).length === expected.length, {
      what: 'the restored services to agree',
    })
    expect(replicasIn(dataDir).sort()).toEqual(expected)
  })
})

/** The two services on a data folder, with a Redis of their own that is empty. */
async function startOn(dataDir: string) {
  const other = await testPlatform([])
  const env = { ...other.env, DATA_DIR: dataDir, CUSTOMER_PORT: '0', CORE_PORT: '0' }
  const running = [await startBuilt('customer', env), await startBuilt('core-ledger', env)]
  return {
    settled: async () => (await Promise.all(running.map((service) => service.settled()))).every(Boolean),
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((service) => service.stop()))
      await other.close()
    },
  }
}

test('an event that only waits in Redis is in the backup, in its producer’s outbox', async () => {
  await platform.settle()
  await platform.stop('core-ledger')
  const id = await createCustomer()
  await until(async () => (await fetchDepth()) > 0, { what: 'the event to be on the queue' })
  // As when it has been published for longer than the outbox keeps it.
  const database = new Database(join(platform.dataDir, 'customer.sqlite'))
  database.run('PRAGMA busy_timeout = 5000')
  database.run('DELETE FROM outbox')
  database.close()
  const folder = join(tempDir(), 'copy')
  expect(await backup(folder)).toMatchObject({ code: 0 })
  expect(announcedIn(folder)).toContain(id)
  expect(replicasIn(folder)).not.toContain(id)
  await platform.start('core-ledger')
  await platform.settle()
})

/** Jobs on the ledger's queue. */
async function fetchDepth(): Promise<number> {
  const { RedisClient } = await import('bun')
  const client = new RedisClient(platform.redis.url)
  try {
    return Number(await client.send('LLEN', ['bursar:core-ledger:wait']))
  } finally {
    client.close()
  }
}

describe('what is refused', () => {
  test('a restore over a stack that runs: the database and its process are named, and nothing changes', async () => {
    const folder = join(tempDir(), 'copy')
    expect(await backup(folder)).toMatchObject({ code: 0 })
    const files = readdirSync(platform.dataDir)
    const { code, said } = await restore(folder, platform.dataDir)
    expect(code).toBe(1)
    expect(said).toContain(`is in use by process ${process.pid}: stop that one first`)
    expect(readdirSync(platform.dataDir).filter((name) => /arriving|before/.test(name))).toEqual([])
    expect(without(files, readdirSync(platform.dataDir))).toEqual([])
  })

  test('a backup that was changed afterwards', async () => {
    const folder = join(tempDir(), 'copy')
    expect(await backup(folder)).toMatchObject({ code: 0 })
    appendFileSync(join(folder, 'core.sqlite'), 'x')
    const dataDir = tempDir()
    expect(await restore(folder, dataDir)).toMatchObject({
      code: 1,
      said: expect.stringContaining('core.sqlite is not as it was when the backup was taken'),
    })
    expect(existsSync(join(dataDir, 'core.sqlite'))).toBe(false)
  })

  test('a backup without the queues of Redis, unless that is asked for', async () => {
    const folder = join(tempDir(), 'copy')
    const away = { REDIS_URL: 'redis://127.0.0.1:9' }
    expect(await backup(folder, away)).toMatchObject({
      code: 1,
      said: expect.stringContaining('no Redis answers there'),
    })
    expect(existsSync(folder)).toBe(false)
    expect(await run('backup', [folder, '--without-redis'], away)).toMatchObject({ code: 0 })
  })

  test('a backup without the databases of all services, unless that is asked for', async () => {
    const [folder, dataDir] = [join(tempDir(), 'copy'), join(tempDir(), 'data')]
    expect(await backup(folder)).toMatchObject({ code: 0 })
    expect(await restore(folder, dataDir, [])).toMatchObject({ code: 1, said: expect.stringMatching(lack) })
    expect(existsSync(dataDir)).toBe(false)
  })

  test('a folder that is there', async () => {
    expect(await backup(platform.dataDir)).toMatchObject({ code: 1, said: expect.stringContaining('is there already') })
  })
})

test('a backup holds the keys, for its owner alone; a restore keeps what it replaces', async () => {
  const folder = join(tempDir(), 'copy')
  expect(await backup(folder)).toMatchObject({ code: 0 })
  expect(readdirSync(folder).sort()).toEqual(['backup.json', 'core.sqlite', 'customer.sqlite', 'internal.secret'])
  for (const name of ['.', 'internal.secret', 'core.sqlite']) expect(statSync(join(folder, name)).mode & 0o077).toBe(0)
  const dataDir = tempDir()
  expect(await restore(folder, dataDir)).toMatchObject({ code: 0, out: expect.stringMatching(lack) })
  const { said } = await restore(folder, dataDir)
  const [, before = ''] = /What was there is in (\S+)\.\n/.exec(said) ?? []
  expect(readdirSync(before).sort()).toEqual(['core.sqlite', 'customer.sqlite', 'internal.secret'])
})
