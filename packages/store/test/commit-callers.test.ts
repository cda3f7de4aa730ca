import { describe, expect, test } from 'bun:test'
import { AsyncLocalStorage } from 'node:async_hooks'
import { silentLog } from '@bursar/contracts/log'
import { emit, NestedCommitError, OutsideCommitError, type Tx } from '../src/index'
import { things } from './fixture/things.table'
import {
  failureOf,
  heldWriter,
  insertThing,
  makeThing,
  newThing,
  refuse,
  ThingMade,
  tempStore,
  thingIds,
} from './harness'

describe('who calls commit, and from where', () => {
  test('a commit inside a body is refused at once', async () => {
    const store = await tempStore()
    const nested = store.commit(async (tx) => {
      await insertThing(tx).execute(newThing('a'))
      await store.commit((inner) => insertThing(inner).execute(newThing('b')))
    })
    expect(await failureOf(nested)).toBeInstanceOf(NestedCommitError)
    expect(await thingIds(store)).toEqual([])
  })

  test('a commit that others call while a body runs is not', async () => {
    const store = await tempStore()
    const other = Promise.withResolvers<void>()
    const slow = store.commit(async (tx) => {
      // No body should wait for anything else; one that does holds up the others and does no other harm.
      await new Promise((resolve) => setImmediate(resolve))
      await insertThing(tx).execute(newThing('a'))
    })
    setImmediate(() => store.commit((tx) => insertThing(tx).execute(newThing('b'))).then(other.resolve, other.reject))
    await Promise.all([slow, other.promise])
    expect(await thingIds(store)).toEqual(['a', 'b'])
  })

  test('a body runs in its caller’s context, and its events bear its caller’s request id', async () => {
    const context = new AsyncLocalStorage<string>()
    const store = await tempStore({ requestId: () => context.getStore() ?? null })
    const request = (id: string) =>
      context.run(id, () =>
        store.commit(async (tx) => {
          const { requestId } = await makeThing(tx, id)
          return [requestId, context.getStore()]
        }),
      )
    expect(await Promise.all(['r1', 'r2', 'r3'].map(request))).toEqual([
      ['r1', 'r1'],
      ['r2', 'r2'],
      ['r3', 'r3'],
    ])
    const { requestId } = await store.commit((tx) => makeThing(tx, 'none'))
    expect(requestId).toBeNull()
  })

  test('an event cannot be emitted outside a commit', async () => {
    const store = await tempStore()
    const tx = await store.commit(async (tx) => tx)
    expect(await failureOf(emit(tx, ThingMade, { thingId: 'a' }))).toBeInstanceOf(OutsideCommitError)
    expect(await failureOf(emit(store.read as Tx, ThingMade, { thingId: 'a' }))).toBeInstanceOf(OutsideCommitError)
  })

  test('a tx is of no use after its commit', async () => {
    const store = await tempStore()
    const tx = await store.commit(async (tx) => tx)
    expect(await failureOf(insertThing(tx).execute(newThing('a')))).toBeInstanceOf(OutsideCommitError)
    expect(await failureOf(tx.insert(things).values(newThing('a')).then())).toBeInstanceOf(OutsideCommitError)
  })

  test('a call that a body forgot to await does not write into its neighbour’s part', async () => {
    const store = await tempStore()
    const forgotten = Promise.withResolvers<unknown>()
    const neighbourWrote = Promise.withResolvers<void>()
    const forgetful = store.commit(async (tx) => {
      const late = neighbourWrote.promise.then(() => insertThing(tx).execute(newThing('late')))
      forgotten.resolve(failureOf(late))
    })
    const neighbour = store.commit(async (tx) => {
      await insertThing(tx).execute(newThing('a'))
      neighbourWrote.resolve()
      await forgotten.promise
    })
    await Promise.all([forgetful, neighbour])
    expect(await forgotten.promise).toBeInstanceOf(OutsideCommitError)
    expect(await thingIds(store)).toEqual(['a'])
  })

  test('a call that a body forgot to await does not write into the batches after its own', async () => {
    const store = await tempStore()
    const late = Promise.withResolvers<void>()
    let forgotten: Promise<unknown> = Promise.resolve()
    await store.commit(async (tx) => {
      forgotten = late.promise.then(() => failureOf(insertThing(tx).execute(newThing('late'))))
    })
    await store.commit(async (tx) => {
      late.resolve()
      expect(await forgotten).toBeInstanceOf(OutsideCommitError)
      await insertThing(tx).execute(newThing('a'))
    })
    expect(await thingIds(store)).toEqual(['a'])
  })

  test('nor into the second run of its own body', async () => {
    const store = await tempStore()
    const refused: unknown[] = []
    const late = Promise.withResolvers<void>()
    let runs = 0
    const forgetful = store.commit(async (tx) => {
      runs += 1
      if (runs === 1)
        late.promise.then(async () => refused.push(await failureOf(insertThing(tx).execute(newThing('late')))))
      else late.resolve()
      await Promise.resolve()
      await insertThing(tx).execute(newThing('a'))
    })
    expect(await failureOf(store.commit(refuse))).toBeDefined()
    await forgetful
    expect(refused[0]).toBeInstanceOf(OutsideCommitError)
    expect(await thingIds(store)).toEqual(['a'])
  })

  test('a body that holds the writer for more than a second is logged', async () => {
    const warned: string[] = []
    const log = { ...silentLog, warn: (_: object, message: string) => warned.push(message) }
    const store = await tempStore({ log })
    await store.commit(async () => Bun.sleepSync(1010))
    expect(warned).toEqual([heldWriter])
  })
})
