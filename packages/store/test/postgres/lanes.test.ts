import { describe, expect, test } from 'bun:test'
import { asc, eq } from 'drizzle-orm'
import { param, params, prepared, type Tx } from '../../src/index'
import type { LaneGuard } from '../../src/postgres/guard'
import type { ServerStore } from '../../src/postgres/open'
import { parts, things } from '../fixture/things.table'
import { failureOf, insertThing, labelOf, newThing, refuse, serverUrl, setLabel, tempStore, thingIds } from '../harness'

// These need a server: postgres.test.ts runs them on one of its own.
const onServer = describe.skipIf(serverUrl === null)

const openLanes = async (guard?: () => LaneGuard) =>
  (await tempStore({ ...(guard && { guard }) } as object)) as ServerStore

const registers = ['r1', 'r2', 'r3', 'r4']
const rounds = 200
const putLabel = prepared((db) =>
  db
    .insert(things)
    .values(params(things))
    .onConflictDoUpdate({ target: things.id, set: { label: param('label') } }),
)
const setAll = prepared((db) => db.update(things).set({ label: param('label') }))
const allLabels = prepared((db) => db.select({ label: things.label }).from(things).orderBy(asc(things.id)))
const addPart = prepared((db) => db.insert(parts).values(params(parts)))
const partsOf = prepared((db) =>
  db
    .select({ id: parts.id })
    .from(parts)
    .where(eq(parts.thingId, param('thingId')))
    .orderBy(asc(parts.id)),
)

type Step =
  | { kind: 'read' | 'write' | 'put' | 'sign' | 'add' | 'list'; register: string }
  | { kind: 'readAll' }
  | { kind: 'writeAll' }
interface Body {
  id: string
  keys: string[]
  steps: Step[]
}

/** A number from 0 on, below `most`, of a fixed sequence. */
function sequence(seed: number) {
  let state = seed
  return (most: number) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

function randomBodies(round: number): Body[] {
  const random = sequence(round + 1)
  const kinds = ['read', 'write', 'put', 'sign', 'add', 'list'] as const
  return Array.from({ length: 3 }, (_, i) => {
    const anyRegister = () => registers[random(registers.length)] as string
    const keys = Array.from({ length: 1 + random(2) }, anyRegister)
    const steps = Array.from({ length: 2 + random(2) }, (): Step => {
      if (random(12) === 0) return { kind: 'readAll' }
      // Now and then of another one.
      const register = random(3) === 0 ? anyRegister() : (keys[random(keys.length)] as string)
      return { kind: kinds[random(kinds.length)] as 'read', register }
    })
    return { id: `b${i}`, keys, steps }
  })
}

/** Runs a body on the store; gives what it read. */
async function runOn(tx: Tx, { id, keys, steps }: Body): Promise<string[]> {
  const seen: string[] = []
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'writeAll') await setAll(tx).execute({ label: id })
    else if (step.kind === 'readAll') seen.push((await allLabels(tx).execute()).map(({ label }) => label).join())
    else if (step.kind === 'read') seen.push(String((await labelOf(tx).execute({ id: step.register }))[0]?.label))
    else if (step.kind === 'list') {
      seen.push((await partsOf(tx).execute({ thingId: step.register })).map((part) => part.id).join())
    } else if (step.kind === 'write') await setLabel(tx).execute({ id: step.register, label: id })
    else if (step.kind === 'put') await putLabel(tx).execute(newThing(step.register, { label: id }))
    // Binds a key of its own, and may change the row of another one.
    else if (step.kind === 'sign') await setLabel(tx).execute({ id: step.register, label: signatureOf(keys) })
    else await addPart(tx).execute({ id: `${id}.${i}`, thingId: step.register })
  }
  return seen
}

const signatureOf = (keys: readonly string[]) => keys.at(-1) ?? ''
interface Model {
  labels: Map<string, string>
  parts: Map<string, string[]>
}

/** The same on the model. */
function runOnModel(model: Model, { id, keys, steps }: Body): string[] {
  const seen: string[] = []
  for (const [i, step] of steps.entries()) {
    if (step.kind === 'writeAll') for (const register of registers) model.labels.set(register, id)
    else if (step.kind === 'readAll')
      seen.push(
        [...model.labels]
          .toSorted()
          .map(([, label]) => label)
          .join(),
      )
    else if (step.kind === 'read') seen.push(model.labels.get(step.register) as string)
    else if (step.kind === 'list') seen.push((model.parts.get(step.register) ?? []).toSorted().join())
    else if (step.kind === 'write' || step.kind === 'put') model.labels.set(step.register, id)
    else if (step.kind === 'sign') model.labels.set(step.register, signatureOf(keys))
    else model.parts.set(step.register, [...(model.parts.get(step.register) ?? []), `${id}.${i}`])
  }
  return seen
}

function* orders<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield []
  for (const [i, first] of all.entries()) {
    for (const rest of orders(all.toSpliced(i, 1))) yield [first, ...rest]
  }
}

/** Whether bodies that ran at the same time read, and left, what they would have one after another in some order. */
async function comesOutSerial(store: ServerStore, bodies: readonly Body[]): Promise<boolean> {
  await store.commit(async (tx) => {
    await tx.delete(parts)
    await tx.delete(things)
    for (const id of registers) await insertThing(tx).execute(newThing(id, { label: 'none' }))
  })
  const seen = await Promise.all(bodies.map((body) => store.commit((tx) => runOn(tx, body), body.keys)))
  const everything = {
    id: 'end',
    keys: [],
    steps: registers.flatMap((register): Step[] => [
      { kind: 'read', register },
      { kind: 'list', register },
    ]),
  }
  const left = await store.commit((tx) => runOn(tx, everything))
  const found = JSON.stringify([...seen, left])
  for (const order of orders([...bodies.keys()])) {
    const model: Model = { labels: new Map(registers.map((id) => [id, 'none'])), parts: new Map() }
    const expected: string[][] = []
    for (const i of order) expected[i] = runOnModel(model, bodies[i] as Body)
    if (JSON.stringify([...expected, runOnModel(model, everything)]) === found) return true
  }
  return false
}

onServer('lanes', () => {
  test('random bodies with shared rows come out as in some serial order', async () => {
    const store = await openLanes()
    for (let round = 0; round < rounds; round++) {
      const bodies = randomBodies(round)
      expect([round, bodies, await comesOutSerial(store, bodies)]).toEqual([round, bodies, true])
    }
    const { transactions, bodies, left } = store.lanes()
    // Many ran beside each other, and some left.
    expect(bodies).toBeGreaterThan(transactions)
    expect(left).toBeGreaterThan(0)
  })

  // What two bodies, of r1 and r2, do step by step beside each other, and could not one after the other.
  const read = (register: string): Step => ({ kind: 'read', register })
  const write = (register: string): Step => ({ kind: 'write', register })
  const put = (register: string): Step => ({ kind: 'put', register })
  const add = (register: string): Step => ({ kind: 'add', register })
  const list = (register: string): Step => ({ kind: 'list', register })
  const anomalies: [string, Step[], Step[]][] = [
    ['each reads what the other one has written', [write('r1'), read('r2')], [write('r2'), read('r1')]],
    ['each reads all after it has written', [write('r1'), { kind: 'readAll' }], [write('r2'), { kind: 'readAll' }]],
    ['each reads what both have added', [add('r3'), list('r3')], [add('r3'), list('r3')]],
    ['neither sees what the other one adds', [list('r3'), add('r3')], [list('r3'), add('r3')]],
    ['what was read is another when it is read again', [read('r1'), read('r1'), read('r1')], [{ kind: 'writeAll' }]],
    ['what was written is another when it is read', [write('r1'), read('r1')], [{ kind: 'writeAll' }]],
    ['each has the last word on one', [write('r3'), write('r4')], [write('r4'), write('r3')]],
    ['each has put the last word on one', [put('r3'), put('r4')], [put('r4'), put('r3')]],
    ['one update is lost', [read('r3'), write('r3')], [read('r3'), write('r3')]],
    [
      'one names the key of the other',
      [read('r1'), { kind: 'sign', register: 'r2' }, read('r1')],
      [read('r2'), read('r2'), { kind: 'sign', register: 'r1' }],
    ],
  ]
  const two = (one: Step[], other: Step[]): Body[] => [
    { id: 'b0', keys: ['r1'], steps: one },
    { id: 'b1', keys: ['r2'], steps: other },
  ]

  test.each(anomalies)('are guarded: %s', async (_, one, other) => {
    const store = await openLanes()
    expect(await comesOutSerial(store, two(one, other))).toBe(true)
    expect(store.lanes().left).toBe(1)
  })

  test('without the guard they do not', async () => {
    const store = await openLanes(() => ({ check: () => {} }))
    let isSerial = true
    for (let round = 0; round < rounds && isSerial; round++) isSerial = await comesOutSerial(store, randomBodies(round))
    expect(isSerial).toBe(false)
  })

  test('bodies of different keys share a transaction, those of one key follow each other', async () => {
    const store = await openLanes()
    const add = (id: string, key?: string) => store.commit((tx) => insertThing(tx).execute(newThing(id)), key)
    // One that says that the instance is there.
    expect(store.lanes()).toMatchObject({ transactions: 1, bodies: 1 })
    await Promise.all(['a', 'b', 'c', 'd'].map((id) => add(id, id)))
    expect(store.lanes()).toMatchObject({ transactions: 2, bodies: 5 })
    await Promise.all(['e', 'f'].map((id) => add(id, 'one')))
    expect(store.lanes()).toMatchObject({ transactions: 4, bodies: 7 })
    await Promise.all(['g', 'h'].map((id) => add(id)))
    expect(store.lanes()).toMatchObject({ transactions: 6, bodies: 9, left: 0 })
  })

  test('with several keys they share a transaction where they have none in common, and nothing overtakes', async () => {
    const store = await openLanes()
    const order: string[] = []
    const add = (id: string, keys: string[]) =>
      store.commit(async (tx) => void (await insertThing(tx).execute(newThing(id))), keys).then(() => order.push(id))
    await Promise.all([add('a', ['k', 'l']), add('b', ['l', 'm']), add('c', ['m', 'm']), add('d', ['n'])])
    // c waits for b, which waits for a.
    expect(order).toEqual(['a', 'd', 'b', 'c'])
    expect(store.lanes()).toMatchObject({ transactions: 4, left: 0 })
  })

  test('one that throws undoes no other', async () => {
    const store = await openLanes()
    const add = (id: string) => store.commit((tx) => insertThing(tx).execute(newThing(id)), id)
    const failing = store.commit(async (tx) => {
      await insertThing(tx).execute(newThing('no'))
      refuse()
    }, 'no')
    const results = await Promise.all([add('a'), failureOf(failing), add('b')])
    expect(String(results[1])).toContain('changed its mind')
    expect(await thingIds(store)).toEqual(['a', 'b'])
  })

  test('a statement that fails in one undoes no other, and leaves nothing of its own', async () => {
    const store = await openLanes()
    await store.commit((tx) => insertThing(tx).execute(newThing('a')))
    const add = (id: string, as: string) =>
      store.commit(async (tx) => {
        await insertThing(tx).execute(newThing(`${as} first`))
        await insertThing(tx).execute(newThing(id))
      }, as)
    const results = await Promise.all([add('b', 'x'), failureOf(add('a', 'y')), add('c', 'z')])
    expect(String(results[1])).toContain('duplicate key')
    expect(await thingIds(store)).toEqual(['a', 'b', 'c', 'x first', 'z first'])
  })

  test('two stores on one schema lose no update', async () => {
    const file = crypto.randomUUID()
    const [one, other] = [(await tempStore({ file })) as ServerStore, (await tempStore({ file })) as ServerStore]
    await one.commit(async (tx) => void (await insertThing(tx).execute(newThing('n', { label: '0' }))))
    const bump = (store: ServerStore) =>
      store.commit(async (tx) => {
        const [row] = await labelOf(tx).execute({ id: 'n' })
        await setLabel(tx).execute({ id: 'n', label: String(Number(row?.label) + 1) })
      }, 'n')
    await Promise.all(Array.from({ length: 40 }, (_, i) => bump(i % 2 ? one : other)))
    expect(await labelOf(one.read).execute({ id: 'n' })).toEqual([{ label: '40' }])
  })

  test('instances that start together on an empty database migrate it once', async () => {
    const file = crypto.randomUUID()
    const stores = await Promise.all(Array.from({ length: 4 }, () => tempStore({ file })))
    await Promise.all(stores.map((store, i) => store.commit((tx) => insertThing(tx).execute(newThing(`t${i}`)))))
    expect(await thingIds(stores[0] as ServerStore)).toHaveLength(4)
  })

  test('a connection with many statements under way gives each its own rows', async () => {
    const store = await openLanes()
    const ids = Array.from({ length: 60 }, (_, i) => `t${String(i).padStart(2, '0')}`)
    await store.commit(async (tx) => {
      for (const id of ids) await insertThing(tx).execute(newThing(id, { label: `label of ${id}` }))
    })
    for (let round = 0; round < 20; round++) {
      const seen = await Promise.all(
        ids.map((id, i) =>
          store.commit(async (tx) => {
            if (i % 7 === round % 7) await partsOf(tx).execute({ thingId: id })
            return [(await labelOf(tx).execute({ id }))[0]?.label, await partsOf(tx).execute({ thingId: id })]
          }, id),
        ),
      )
      expect(seen).toEqual(ids.map((id) => [`label of ${id}`, []]))
    }
  })
})
