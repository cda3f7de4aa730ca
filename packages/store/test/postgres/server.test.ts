import { describe, expect, test } from 'bun:test'
import { silentLog } from '@bursar/contracts/log'
import {
  beginRun,
  caseless,
  eq,
  noteRestored,
  noteRun,
  type OpenStore,
  param,
  prepared,
  wasSetBack,
} from '../../src/index'
import { openOnServer } from '../../src/postgres/open'
import { openPool, stateOf } from '../../src/postgres/pool'
import { epochOf } from '../../src/replica/changes'
import { things } from '../fixture/things.table'
import {
  afterTest,
  failureOf,
  insertThing,
  migrations,
  newThing,
  serverUrl,
  tempStore,
  thingIds,
  until,
} from '../harness'
import { recoveringServer, strictPooler } from './refusing-proxy'

/** A text that does not become smaller. */
const noise = crypto.getRandomValues(Buffer.alloc(60_000)).toString('base64')

// These need a server: postgres.test.ts runs them on one of its own.
const onServer = describe.skipIf(serverUrl === null)

onServer('a server', () => {
  test('ends a statement that hangs, and a transaction that stands still', async () => {
    const pool = openPool(serverUrl as string, 1)
    const connection = await pool.take()
    const names = ['statement_timeout', 'idle_in_transaction_session_timeout']
    const settings = names.map(async (name) => (await connection.run(`SELECT current_setting('${name}')`)).rows[0])
    expect(await Promise.all(settings)).toEqual([['1min'], ['30s']])
    connection.release()
    await pool.close()
  })

  test('runs statements in the order of the calls, those that it knows and new ones, with values and without', async () => {
    const pool = openPool(serverUrl as string, 1)
    const connection = await pool.take()
    await connection.run('CREATE TEMP TABLE noted (n int, kept text)')
    for (let n = 0; n < 20; n++) {
      const texts = [
        'BEGIN',
        `INSERT INTO noted VALUES ($1, 'yes') /* ${n} */`,
        'COMMIT',
        'BEGIN',
        `INSERT INTO noted VALUES (${n}, 'no')`,
        'ROLLBACK',
      ]
      await Promise.all(texts.map((text) => connection.run(text, text.includes('$1') ? [n] : [])))
    }
    expect((await connection.run('SELECT kept, count(*)::int FROM noted GROUP BY kept')).rows).toEqual([['yes', 20]])
    // What fails takes all with it, though COMMIT was sent behind it.
    const sent = ['BEGIN', "INSERT INTO noted VALUES (0, 'lost')", 'SELECT 1 / 0', 'COMMIT'].map((text) =>
      failureOf(connection.run(text)),
    )
    expect((await Promise.all(sent)).map(stateOf)).toEqual([null, null, '22012', null])
    expect((await connection.run("SELECT n FROM noted WHERE kept = 'lost'")).rows).toEqual([])
    connection.release()
    await pool.close()
  })

  test('has no connection left once the last store of a process is closed', async () => {
    // A database of their own: the harness keeps the connections to the other one.
    const name = `own_${crypto.randomUUID().replaceAll('-', '')}`
    const pool = openPool(serverUrl as string, 1)
    const { run, release } = await pool.take()
    await run(`CREATE DATABASE ${name}`)
    const counted = async () =>
      (await run('SELECT count(*)::int FROM pg_stat_activity WHERE datname = $1', [name])).rows[0]?.[0]
    const url = new URL(serverUrl as string)
    url.pathname = name
    const open = (schema: string) =>
      openOnServer({ service: 'store-test', url: url.href, schema, migrations: `${migrations}-postgres` })
    const [one, other] = [await open('one'), await open('other')]
    for (const store of [one, other]) expect(await thingIds(store)).toEqual([])
    await one.close()
    expect(await counted()).toBeGreaterThan(0)
    await other.close()
    await until('no connection', async () => (await counted()) === 0)
    release()
    await pool.close()
  })

  test('makes no schema while files are moved there; one that is there is opened', async () => {
    const url = serverUrl as string
    const [pool, schema] = [openPool(url, 1), `s${crypto.randomUUID().replaceAll('-', '')}`]
    const connection = await pool.take()
    const open = () => openOnServer({ service: 'store-test', url, schema, migrations: `${migrations}-postgres` })
    await connection.script(`CREATE SCHEMA moving_${schema}`)
    expect(String(await failureOf(open()))).toContain('run bun run move again; nothing starts before that')
    const { rows } = await connection.run('SELECT 1 FROM pg_namespace WHERE nspname = $1', [schema])
    expect(rows).toEqual([])
    await connection.script(`ALTER SCHEMA moving_${schema} RENAME TO ${schema}`)
    await (await open()).close()
    await connection.script(`CREATE SCHEMA moving_${schema}`)
    await (await open()).close()
    await connection.script(`DROP SCHEMA moving_${schema}`)
    connection.release()
    await pool.close()
  })

  test('behind a pooler that refuses settings is used without them', async () => {
    const pooler = strictPooler(new URL(serverUrl as string))
    const pool = openPool(pooler.url, 2)
    const both = await Promise.all([pool.take(), pool.take()])
    expect(await Promise.all(both.map((one) => one.run('SELECT 1')))).toMatchObject([{ count: 1 }, { count: 1 }])
    for (const one of both) one.release()
    await pool.close()
    pooler.stop()
    const gone = openPool(pooler.url, 1)
    expect(String(await failureOf(gone.take()))).toContain('PostgresError')
    await gone.close()
  })

  test('that still recovers is waited for at the start of a service; for one that is not there, not for ever', async () => {
    const warnings: string[] = []
    const options = {
      service: 'store-test',
      schema: `test_${crypto.randomUUID().slice(0, 8)}`,
      migrations: `${migrations}-postgres`,
      log: { ...silentLog, warn: (_: object, message: string) => void warnings.push(message) },
    }
    const recovering = recoveringServer(new URL(serverUrl as string), 3)
    afterTest(recovering.stop)
    const store = await openOnServer({ ...options, url: recovering.url })
    await store.commit(async (tx) => void (await insertThing(tx).execute(newThing('a'))))
    expect(await thingIds(store)).toEqual(['a'])
    await store.close()
    expect(warnings).toEqual(['The PostgreSQL server does not answer yet: waiting for it'])

    const never = recoveringServer(new URL(serverUrl as string), Number.POSITIVE_INFINITY)
    afterTest(never.stop)
    const failure = await failureOf(openOnServer({ ...options, url: never.url, patienceMs: 10 }))
    expect(String(failure)).toContain('cannot be used (the database system is starting up): check that it runs')

    const stranger = new URL(serverUrl as string)
    stranger.username = 'nobody_of_this_name'
    warnings.length = 0
    expect(String(await failureOf(openOnServer({ ...options, url: stranger.href })))).toContain('cannot be used (role')
    expect(warnings).toEqual([])
  })

  test('says how much the tables of a store take with their indexes, and those of no other', async () => {
    const [store, other] = [await tempStore(), await tempStore()]
    const [before, ofOther] = [await store.size(), await other.size()]
    expect(before).toEqual({ bytes: expect.any(Number), logBytes: null })
    expect(before.bytes).toBeGreaterThan(8192)
    await store.commit(async (tx) => void (await insertThing(tx).execute(newThing('a', { label: noise }))))
    expect((await store.size()).bytes).toBeGreaterThan(before.bytes + 50_000)
    expect(await other.size()).toEqual(ofOther)
  })

  test('is asked by the services of a process over connections that they share', async () => {
    const client = new Bun.SQL(serverUrl as string, { max: 1 })
    afterTest(() => client.close())
    // The server tells connections apart by their user.
    const own = `shared_${crypto.randomUUID().slice(0, 8)}`
    await client.unsafe(`CREATE ROLE ${own} LOGIN SUPERUSER`)
    const url = new URL(serverUrl as string)
    url.username = own
    const names = Array.from({ length: 8 }, (_, i) => `${own}_${i}`)
    const open = () => Promise.all(names.map((schema) => tempStore({ url: url.href, schema } as object)))
    const connections = async () => {
      const text = 'SELECT count(*)::int AS n FROM pg_stat_activity WHERE usename = $1'
      return (await client.unsafe(text, [own]))[0].n
    }
    // One alone has three, however much it is asked.
    const alone = await tempStore({ url: url.href, schema: `${own}_alone` } as object)
    await Promise.all(Array.from({ length: 40 }, () => [thingIds(alone), alone.healthy()]).flat())
    expect(await connections()).toBe(3)
    await alone.close()
    const stores = await open()
    const [first, ...others] = stores as [OpenStore, ...OpenStore[]]
    const gate = Promise.withResolvers<void>()
    // Reads that last, and more than there are connections.
    const long = Array.from({ length: 20 }, () =>
      first.snapshot(async (db) => {
        await thingIds({ ...first, read: db })
        await gate.promise
      }),
    )
    const work = stores.map(async (store, i) => {
      await store.commit(async (tx) => void (await insertThing(tx).execute(newThing(`of ${i}`))))
      return store === first ? [`of ${i}`] : await thingIds(store)
    })
    expect(await Promise.all(work)).toEqual(stores.map((_, i) => [`of ${i}`]))
    expect(await connections()).toBeLessThanOrEqual(12)
    gate.resolve()
    await Promise.all(long)
    await Promise.all(others.map((store) => store.close()))
    expect(await thingIds(first)).toEqual(['of 0'])
    expect(await failureOf(thingIds(others[0] as OpenStore))).toMatchObject({ name: 'StoreClosedError' })
    await first.close()
    await until('no connection is left', async () => (await connections()) === 0)
  })

  test('keeps a text with the character 0 as what stands for it', async () => {
    const store = await tempStore()
    await store.commit((tx) => insertThing(tx).execute(newThing('a\0b')))
    expect(await thingIds(store)).toEqual(['a\u{fffd}b'])
  })

  test('tells each who has to know of a restore, once', async () => {
    const store = await tempStore()
    const [one, other] = ['/data/one.run', '/data/other.run']
    await beginRun(store, one)
    const epoch = await epochOf(store.read)
    expect([await wasSetBack(store.read, one), await wasSetBack(store.read, other)]).toEqual([false, false])
    await store.commit((tx) => noteRestored(tx, new Date(0)))
    expect([await wasSetBack(store.read, one), await wasSetBack(store.read, other)]).toEqual([true, true])
    // A start that fails before its last step has told nobody.
    expect(await wasSetBack(store.read, one)).toBe(true)
    await noteRun(store, other)
    expect([await wasSetBack(store.read, one), await wasSetBack(store.read, other)]).toEqual([true, false])
    await beginRun(store, one)
    expect(await wasSetBack(store.read, one)).toBe(false)
    expect(await epochOf(store.read)).toBeGreaterThan(epoch)
    const then = await epochOf(store.read)
    await beginRun(store, one)
    expect(await epochOf(store.read)).toBe(then)
    await store.commit((tx) => noteRestored(tx, new Date(1)))
    expect([await wasSetBack(store.read, one), await wasSetBack(store.read, other)]).toEqual([true, true])
  })
})

/** A database whose own language has another small letter for I; null on a server that can have none. */
async function turkishDatabase(): Promise<string | null> {
  const url = new URL(serverUrl as string)
  const name = `test_${Bun.hash(crypto.randomUUID()).toString(36)}`
  const client = new Bun.SQL(url.href, { max: 1 })
  afterTest(() => client.close())
  const icu = await client.unsafe("SELECT 1 FROM pg_collation WHERE collprovider = 'i' LIMIT 1")
  const [{ number }] = await client.unsafe("SELECT current_setting('server_version_num')::int AS number")
  if (icu.length === 0 || number < 150_000) return null
  const locale = "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LC_COLLATE 'C' LC_CTYPE 'C'"
  await client.unsafe(`CREATE DATABASE "${name}" TEMPLATE template0 ENCODING 'UTF8' ${locale}`)
  afterTest(() => client.unsafe(`DROP DATABASE "${name}" WITH (FORCE)`))
  url.pathname = name
  return url.href
}

const byCode = prepared((db) =>
  db
    .select({ id: things.id })
    .from(things)
    .where(eq(caseless(things.assetCode), caseless(param('code')))),
)

onServer('a database of another language', () => {
  test('finds a code in any case, as a file does: only ASCII letters have one', async () => {
    const url = await turkishDatabase()
    if (url === null) return
    const options = { service: 'store-test', url, schema: 'turkish', migrations: `${migrations}-postgres` } as const
    const store = await openOnServer(options)
    afterTest(() => store.close())
    await store.commit((tx) => insertThing(tx).execute(newThing('a', { assetCode: 'ÉLINK' })))
    const found = async (code: string) => (await byCode(store.read).execute({ code })).map(({ id }) => id)
    expect(await Promise.all(['ÉLINK', 'Élink', 'élink'].map(found))).toEqual([['a'], ['a'], []])
  })
})
