import { afterAll, beforeAll, expect, test } from 'bun:test'
import { formatAmount } from '@bursar/money'
import fc from 'fast-check'
import { journal } from '../src/ledger/journal.table'
import { recordMovement } from '../src/portfolios/book-movement'
import { completeTransaction } from './ends'
import { type MovementBench, openMovementBench } from './movement-bench'
import { depositOf, make, pay, screen, withdrawalOf } from './steps'

// Statements against the journal, which they do not read: what entries have moved, by their times.
let books: MovementBench
beforeAll(async () => {
  books = await openMovementBench()
})
afterAll(() => books.close())

const start = Date.parse('2026-03-01T12:00:00.000Z')
const hourMs = 3_600_000
const timeOf = (hour: number) => new Date(start + hour * hourMs)

interface Statement {
  balances: { assetId: string; opening: string; in: string; out: string; closing: string }[]
  lines: { kind: string; amount: string; balance: string }[]
}

async function statement(from: Date, to: Date): Promise<Statement> {
  const path = `/balances/account/${books.bench.accountId}/statement?from=${from.toISOString()}&to=${to.toISOString()}`
  const { status, body } = await books.ledger.ask<Statement>('GET', path)
  expect(status).toBe(200)
  return body
}

/** What the account held just before a moment, by the journal. */
async function heldBefore(at: Date): Promise<string> {
  const { accountId, assetId } = books.bench
  const own = [`available:${accountId}`, `frozen:${accountId}`]
  const entries = await books.ledger.store.read.select().from(journal)
  const sum = entries
    .filter((entry) => entry.assetId === assetId && entry.createdAt < at)
    .reduce(
      (total, { debit, credit, amount }) =>
        total + (own.includes(credit) ? amount : 0n) - (own.includes(debit) ? amount : 0n),
      0n,
    )
  return formatAmount(sum, 6)
}

const steps = {
  in: (amount: string) => books.deliver(books.moved('in', amount)),
  out: (amount: string) => books.deliver(books.moved('out', amount)),
  fee: (amount: string) => books.deliver(books.moved('fee', amount)),
  deposit: (amount: string) => carryOut('deposit', depositOf(books.bench, formatAmount(BigInt(amount), 6))),
  withdrawal: (amount: string) => carryOut('withdrawal', withdrawalOf(books.bench, formatAmount(BigInt(amount), 6))),
}

async function carryOut(kind: 'deposit' | 'withdrawal', body: object): Promise<void> {
  const { id } = await make(books.ledger, kind, body)
  await screen(books.ledger, id, true)
  await books.ledger.store.commit((tx) => completeTransaction(tx, id, { at: books.clock.now }))
}

const step = fc.record({
  // The clock may be set back.
  hours: fc.integer({ min: -30, max: 30 }),
  kind: fc.constantFrom('in', 'out', 'fee', 'deposit', 'withdrawal'),
  amount: fc.integer({ min: 1, max: 1000 }).map(String),
})

test('a portfolio’s statement has what the journal has, its network fees as well', async () => {
  const period = fc.tuple(fc.integer({ min: -200, max: 200 }), fc.integer({ min: 1, max: 300 }))
  const story = fc.tuple(
    fc.array(step, { minLength: 1, maxLength: 8 }),
    fc.array(period, { minLength: 3, maxLength: 3 }),
  )
  books.clock.now = timeOf(0)
  await fc.assert(
    fc.asyncProperty(story, async ([told, periods]) => {
      for (const { hours, kind, amount } of told) {
        books.clock.now = new Date(books.clock.now.getTime() + hours * hourMs)
        await steps[kind](amount)
      }
      for (const [from, length] of periods) {
        const [begin, end] = [timeOf(from), timeOf(from + length)]
        const { balances, lines } = await statement(begin, end)
        const [sheet] = balances
        expect(sheet).toMatchObject({ opening: await heldBefore(begin), closing: await heldBefore(end) })
        expect(lines.at(-1)?.balance ?? sheet?.opening).toBe(sheet?.closing ?? '')
      }
    }),
    { numRuns: 15, seed: 20261129 },
  )
})

test('more movements than are read in a turn are all there, fees among them', async () => {
  books.clock.now = timeOf(5000)
  const many = Array.from({ length: 1100 }, (_, i) => books.moved(i % 7 === 0 ? 'fee' : 'in', '1'))
  await books.ledger.store.commit(async (tx) => {
    for (const movement of many) await recordMovement(tx, movement, books.bench.accountId, books.clock.now)
  })
  const { lines } = await statement(timeOf(4999), timeOf(5001))
  expect(lines).toHaveLength(1100)
  expect(lines.filter(({ kind }) => kind === 'MOVEMENT_OUT')).toHaveLength(158)
})

test('a fee that the platform pays at an account’s address is not in its statement', async () => {
  const { id: accountId } = await books.ledger.account()
  await pay(books.ledger, { ...books.bench, accountId }, '7')
  books.clock.now = timeOf(1_000_001)
  await books.deliver(books.moved('fee', '3', { accountId }))
  const path = `/balances/account/${accountId}/statement?from=${timeOf(1_000_000).toISOString()}&to=${timeOf(1_000_002).toISOString()}`
  const { body } = await books.ledger.ask<Statement>('GET', path)
  expect(body).toMatchObject({ lines: [], balances: [{ opening: '7', closing: '7' }] })
})
