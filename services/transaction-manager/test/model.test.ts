import { expect, test } from 'bun:test'
import type { PaymentState } from '@bursar/contracts/transaction-manager'
import { AppError } from '@bursar/http'
import { dialect } from '@bursar/store'
import fc from 'fast-check'
import { creditEntries, creditLines } from '../src/credit-lines/credit-lines.table'
import { foldCounts } from '../src/payments/fold-counts'
import { movePayment } from '../src/payments/move-payment'
import { paymentById } from '../src/payments/payments'
import { statuses } from '../src/payments/states'
import { openService, type TestTransactionManager } from './harness'
import { apply, type Order } from './model'
import { begin, limitLine, linesIn, linesOf, order, type Play, requestPayment } from './play'

// Random sequences of requests, in concurrent groups, compared with a model that stores no sums and no state table.
// Several sequences share a service and run at the same time, so that their requests share commits.
/** Fewer on a server, where a step takes longer. */
const runs = dialect === 'sqlite' ? 25 : 5
const sequencesPerRun = 10

const sequence = fc.array(fc.array(order, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })

/** Carries out a request; returns the HTTP status. */
async function carryOut(play: Play, order: Order): Promise<number> {
  if (order.order === 'limit') return (await limitLine(play, order)).status
  if (order.order === 'move') return await moveOf(play, order)
  const answer = await requestPayment(play, order)
  if (answer.status === 201) play.ids.push(answer.body.data.id)
  return answer.status
}

/** By the domain function: commits run in the order of their calls, requests may not. */
async function moveOf({ manager, ids }: Play, { payment, status, by }: Extract<Order, { order: 'move' }>) {
  try {
    await manager.store.commit(async (tx) =>
      movePayment(tx, await paymentById(tx, ids[payment] ?? ''), { status, by: `user ${by}` }, new Date()),
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
  const { manager, model, ids } = play
  expect(await linesIn(play)).toEqual(linesOf(model))
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

test(`${runs * sequencesPerRun} random sequences agree with a small model`, async () => {
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
})
