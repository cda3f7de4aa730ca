import { expect, test } from 'bun:test'
import type { PaymentState } from '@bursar/contracts/transaction-manager'
import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { dialect } from '@bursar/store'
import fc from 'fast-check'
import { creditEntries, creditLines } from '../src/credit-lines/credit-lines.table'
import { foldCounts } from '../src/payments/fold-counts'
import { movePayment } from '../src/payments/move-payment'
import { paymentById } from '../src/payments/payments'
import { statuses } from '../src/payments/states'
import { openService, type TestTransactionManager } from './harness'
import { apply, type Model, newModel, type Order, used } from './model'
import { destinationAccount } from './requests'

// Random sequences of requests, in concurrent groups, compared with a model that stores no sums and no state table.
// Several sequences share a service and run at the same time, so that their requests share commits.
/** Fewer on a server, where a step takes longer. */
const runs = dialect === 'sqlite' ? 25 : 5
const sequencesPerRun = 10
const parties = 3

const party = fc.nat(parties - 1)
const amount = fc.constantFrom(1n, 2n, 5n, 10n, 10n ** 19n)
const which = fc.nat(11)
const by = fc.constantFrom('maker', 'ann', 'bob')
const status = fc.constantFrom(...statuses, 'APPROVED' as const, 'PROCESSING' as const, 'COMPLETED' as const)
const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ order: fc.constant('deposit' as const), party, amount }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('withdrawal' as const), party, amount }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('transfer' as const), party, to: party, amount }) },
  { weight: 16, arbitrary: fc.record({ order: fc.constant('move' as const), payment: which, status, by }) },
  {
    weight: 2,
    arbitrary: fc.record({
      order: fc.constant('limit' as const),
      party,
      amount: fc.constantFrom(0n, 5n, 20n, 10n ** 19n, 10n ** 20n),
    }),
  },
)
const sequence = fc.array(fc.array(order, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })

/** One sequence's share of the service. */
interface Play {
  manager: TestTransactionManager
  model: Model
  pfis: string[]
  banks: string[]
  /** The ids of its payments, in the order of the model. */
  ids: string[]
}

const units = (value: bigint) => formatAmount(value, 2)

async function begin(manager: TestTransactionManager): Promise<Play> {
  const made = await Promise.all(Array.from({ length: parties }, () => manager.party()))
  const [pfis, banks] = [made.map(({ pfi }) => pfi.id), made.map(({ bank }) => bank.id)]
  return { manager, model: newModel(parties), pfis, banks, ids: [] }
}

/** Carries out a request; returns the HTTP status. */
async function carryOut(play: Play, order: Order): Promise<number> {
  const { manager, pfis, banks } = play
  switch (order.order) {
    case 'limit': {
      const limit = { currency: 'USD', limit: units(order.amount) }
      return (
        await manager.put(`/internal/credit-lines/${pfis[order.party]}`, limit, await manager.asService('main-api'))
      ).status
    }
    case 'move':
      return await moveOf(play, order)
    default: {
      const body = { amount: units(order.amount), currency: 'USD', participantBankId: banks[order.party] }
      const sides =
        order.order === 'transfer'
          ? { fromParticipantBankId: banks[order.party], toParticipantBankId: banks[order.to] }
          : { destinationAccount }
      const answer = await manager.post(
        `/${order.order}`,
        { ...body, ...sides },
        await manager.as({ subject: 'maker' }),
      )
      if (answer.status === 201) play.ids.push(answer.body.data.id)
      return answer.status
    }
  }
}

/** By the domain function: commits run in the order of their calls, requests may not. */
async function moveOf({ manager, ids }: Play, { payment, status: to, by }: Extract<Order, { order: 'move' }>) {
  try {
    await manager.store.commit(async (tx) =>
      movePayment(tx, await paymentById(tx, ids[payment] ?? ''), { to, by: `user ${by}` }, new Date()),
    )
    return 200
  } catch (error) {
    if (error instanceof AppError) return error.status
    throw error
  }
}

/** The status changes of a group arrive together and are carried out in order. Creations come one by one. */
async function playGroup(play: Play, group: Order[]): Promise<void> {
  for (const order of group.filter(({ order }) => order !== 'move')) {
    expect([order, await carryOut(play, order)]).toEqual([order, apply(play.model, order)])
  }
  const count = play.model.payments.length
  if (count === 0) return
  const moves = group.flatMap((order) => (order.order === 'move' ? [{ ...order, payment: order.payment % count }] : []))
  const answers = await Promise.all(moves.map((order) => carryOut(play, order)))
  expect(answers).toEqual(moves.map((order) => apply(play.model, order)))
}

async function compare(play: Play, events: readonly PaymentState[]): Promise<void> {
  const { manager, model, pfis, ids } = play
  for (const [index, pfi] of pfis.entries()) {
    const line = await manager.lineOf(pfi)
    const limit = model.limits[index] ?? null
    const inUse = used(model, index)
    expect(line && [line.limit, line.used, line.available]).toEqual(
      limit === null ? undefined : [units(limit), units(inUse), units(limit - inUse)],
    )
  }
  for (const [index, id] of ids.entries()) {
    const { status, history } = (await manager.get(`/transactions/${id}`)).body.data
    const expected = model.payments[index]
    expect([status, history.length]).toEqual([expected?.status, expected?.moves])
    const told = events.filter((event) => event.id === id).map((event) => [event.previous, event.status])
    expect(told).toEqual(history.map(({ from, to }: { from: string; to: string }) => [from, to]))
  }
}

/** The entries of each line sum to its amounts, which were never below zero. */
async function auditLines(manager: TestTransactionManager): Promise<void> {
  const entries = await manager.store.read.select().from(creditEntries).orderBy(creditEntries.seq)
  for (const line of await manager.store.read.select().from(creditLines)) {
    let [reserved, drawn] = [0n, 0n]
    for (const { kind, amount } of entries.filter(({ participantId }) => participantId === line.participantId)) {
      if (kind === 'reserve') reserved += amount
      else if (kind === 'repay') drawn -= amount
      else reserved -= amount
      if (kind === 'settle') drawn += amount
      expect([amount > 0n, reserved >= 0n, drawn >= 0n]).toEqual([true, true, true])
    }
    expect([reserved, drawn]).toEqual([line.reserved, line.drawn])
    expect(line.reserved + line.drawn <= line.limit).toBe(true)
  }
}

/** The totals of lists agree with the payments. */
async function compareTotals(manager: TestTransactionManager, plays: readonly Play[]): Promise<void> {
  const all = plays.flatMap(({ model }) => model.payments)
  for (const status of statuses) {
    const { pageInfo } = (await manager.get(`/transactions?limit=0&status=${status}`)).body
    expect([status, pageInfo.total]).toEqual([status, all.filter((payment) => payment.status === status).length])
  }
}

test(
  `${runs * sequencesPerRun} random sequences agree with a small model`,
  async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(sequence, { minLength: sequencesPerRun, maxLength: sequencesPerRun }),
        async (sequences) => {
          const manager = await openService()
          const plays = await Promise.all(sequences.map(() => begin(manager)))
          await Promise.all(
            sequences.map(async (groups, index) => {
              const play = plays[index]
              if (play) for (const group of groups) await playGroup(play, group)
            }),
          )
          const events = (await manager.events()).map(({ data }) => data as PaymentState)
          for (const play of plays) await compare(play, events)
          await auditLines(manager)
          await compareTotals(manager, plays)
          await foldCounts(manager.store)
          await compareTotals(manager, plays)
          await manager.close()
        },
      ),
      { numRuns: runs },
    )
  },
  { timeout: 120_000 },
)
