// Commits of payments on a server, where those without a key in common share a transaction.
import { expect, test } from 'bun:test'
import { dialect, type Keys, type ServerOptions } from '@bursar/store'
import { lanesTogether } from '@bursar/testing/service'
import fc from 'fast-check'
import { openService, type TestTransactionManager } from './harness'
import { apply, type Model, type Order } from './model'
import { begin, limitLine, linesIn, linesOf, order, type Play, requestPayment } from './play'
import { destinationAccount } from './requests'

// scripts/test --postgres, and test/postgres in each run.
const onServer = test.skipIf(dialect === 'sqlite')
const count = 32

onServer('moves of payments of different participants that arrive together share transactions', async () => {
  const manager = await openService()
  const parties = await Promise.all(Array.from({ length: count }, () => manager.party()))
  for (const { pfi } of parties) await manager.creditLine(pfi.id, { currency: 'USD', limit: '100' })
  const body = { amount: '10', currency: 'USD', destinationAccount }
  const made = await Promise.all(
    parties.map(({ bank }) => manager.create('/withdrawal', { ...body, participantBankId: bank.id })),
  )
  const moved = await lanesTogether(manager.store, count, async () => {
    const answers = await Promise.all(
      made.map(({ data }, i) =>
        manager.put(`/withdrawal/${data.id}`, { status: 'APPROVED', transactionHash: `hash-${i}` }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(count).fill(200))
  })
  expect(moved).toMatchObject({ bodies: count, left: 0 })
  expect(moved.transactions).toBeLessThan(count / 4)
  await manager.close()
})

// With the keys that its routes give, no statement of one meets another's. With some of them left out they meet: what keeps
// them apart then is the guard.
// The first of a group is on its way when the others arrive, of which the moves share the next transaction.
const asked = fc.constant<Order>({ order: 'withdrawal', party: 0, amount: 2n })
const givenUp = fc.record({
  order: fc.constant('move' as const),
  payment: fc.nat(11),
  status: fc.constant('CANCELLED' as const),
  by: fc.constant('ann'),
})
const group = fc.array(fc.oneof(order, givenUp, givenUp), { minLength: 3, maxLength: 4 })
const groups = fc
  .tuple(fc.array(asked, { minLength: 4, maxLength: 6 }), fc.array(group, { minLength: 4, maxLength: 8 }))
  .map(([first, others]) => [first, ...others])
const limit = 20n
/** Says of each key in turn whether it is given: few are. */
const choices = fc.infiniteStream(fc.nat(3).map((choice) => choice === 0))

/** Has the store's commits be given some of their keys, one at least. */
function leaveOutKeys({ store }: TestTransactionManager, chosen: Iterator<boolean>): void {
  const { commit } = store
  const some = (keys: Keys | undefined): Keys | undefined => {
    if (keys === undefined || typeof keys === 'string') return keys
    const kept = keys.filter(() => chosen.next().value)
    return kept.length > 0 ? kept : keys.slice(0, 1)
  }
  store.commit = (body, keys, options) => commit(body, some(keys), options)
}

interface Answered {
  status: number
  id: string | null
}

async function ask(play: Play, order: Order): Promise<Answered> {
  if (order.order === 'limit') return { status: (await limitLine(play, order)).status, id: null }
  if (order.order === 'move') return { status: await move(play, order), id: null }
  const { status, body } = await requestPayment(play, order)
  return { status, id: status === 201 ? body.data.id : null }
}

async function move({ manager, ids }: Play, { payment, status, by }: Extract<Order, { order: 'move' }>) {
  const id = ids[payment] as string
  const { type, reference } = (await manager.get(`/transactions/${id}`)).body.data
  const path = type === 'DEPOSIT' ? `/deposit/${reference}` : `/${type.toLowerCase()}/${id}`
  return (await manager.put(path, { status }, await manager.as({ subject: by }))).status
}

function* permutations<T>(all: readonly T[]): Generator<T[]> {
  if (all.length === 0) yield []
  for (const [i, first] of all.entries()) {
    for (const rest of permutations(all.toSpliced(i, 1))) yield [first, ...rest]
  }
}

/** Whether requests that arrive together are answered, and leave, what they would in some order; the play goes on with that. */
async function comesOutSerial(play: Play, asked: readonly Order[]): Promise<boolean> {
  const known = play.model.payments.length
  const orders = asked.flatMap((order): Order[] => {
    if (order.order !== 'move') return [order]
    return known === 0 ? [] : [{ ...order, payment: order.payment % known }]
  })
  const answers = await Promise.all(orders.map((order) => ask(play, order)))
  const lines = await linesIn(play)
  for (const permutation of permutations([...orders.keys()])) {
    const model: Model = structuredClone(play.model)
    const ids = [...play.ids]
    const statuses: number[] = []
    for (const i of permutation) {
      statuses[i] = apply(model, orders[i] as Order)
      const { id } = answers[i] as Answered
      if (id !== null) ids.push(id)
    }
    const isEqual = Bun.deepEquals([statuses, linesOf(model)], [answers.map(({ status }) => status), lines])
    if (
      !isEqual ||
      !Bun.deepEquals(
        model.payments.map(({ status }) => status),
        await statusesOf(play, ids),
      )
    )
      continue
    Object.assign(play, { model, ids })
    return true
  }
  return false
}

const statusesOf = ({ manager }: Play, ids: readonly string[]): Promise<string[]> =>
  Promise.all(ids.map(async (id) => (await manager.get(`/transactions/${id}`)).body.data.status))

/** Whether they do with some keys left out. */
const serial = (guard?: ServerOptions['guard']) =>
  fc.asyncProperty(groups, choices, async (all, chosen) => {
    const manager = await openService({ guard })
    try {
      const play = await begin(manager)
      for (const party of play.pfis.keys()) {
        await limitLine(play, { order: 'limit', party, amount: limit })
        play.model.limits[party] = limit
      }
      leaveOutKeys(manager, chosen[Symbol.iterator]())
      for (const orders of all) if (!(await comesOutSerial(play, orders))) return false
      return true
    } finally {
      await manager.close()
    }
  })

const inSerialOrder = () => fc.assert(serial(), { numRuns: 15 })
onServer('random requests come out as in some serial order, whichever of their keys are left out', inSerialOrder)

onServer('without the guard they do not', async () => {
  const found = await fc.check(
    serial(() => ({ check: () => {} })),
    { numRuns: 100, endOnFailure: true },
  )
  expect(found.failed).toBe(true)
})
