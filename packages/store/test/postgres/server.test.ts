import { describe, expect, test } from 'bun:test'
import { beginRun, noteRestored, noteRun, wasSetBack } from '../../src/index'
import { openPool } from '../../src/postgres/pool'
import { epochOf } from '../../src/replica/changes'
import { insertThing, newThing, serverUrl, tempStore, thingIds } from '../harness'

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
