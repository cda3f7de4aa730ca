import { expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import { formatAmount } from '@bursar/money'
import { dialect, eq } from '@bursar/store'
import fc from 'fast-check'
import { approveFrozen, rejectFrozen } from '../src/approvals/review'
import { auditAll } from '../src/audit/audit'
import { createDeposit } from '../src/deposits/create-deposit'
import { systemBalances } from '../src/ledger/balances.table'
import { completeScreenings } from '../src/movements/complete-screening'
import { transactionById } from '../src/movements/read-transactions'
import type { NewDeposit } from '../src/movements/transactions.model'
import { foldNext, unfolded } from '../src/reporting/fold-sums'
import { sealJournal } from '../src/seals/seal-journal'
import { createTransfer, createWithdrawal } from '../src/withdrawals/create-withdrawal'
import { completeTransaction, failTransaction } from './ends'
import { type Ledger, openLedger } from './harness'
import { apply, type Book, entriesOf, type Model, newModel, type Order } from './ledger-model'
import { makeAsset, outside } from './steps'

// Random sequences of orders, in groups that arrive together, against a model that only knows sums. Several sequences
// share a ledger and run at the same time, so that each one's orders meet the others' in the same commits.
/** Fewer on a server, where a step takes longer. */
const runs = dialect === 'sqlite' ? 44 : 6
const sequencesPerRun = 50
const accounts = 3
const assets = 2
const network = 'ethereum'
const decimals = 18

const account = fc.nat(accounts - 1)
const asset = fc.nat(assets - 1)
// From one unit to more than 64 bits hold, and few values, so that balances meet exactly.
const amount = fc.constantFrom(1n, 2n, 3n, 10n, 10n ** 19n, 10n ** 19n + 1n, 123456789012345678901234567890n)
const which = fc.nat(11)
const kind = fc.constantFrom('deposit' as const, 'withdrawal' as const)
const order = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ order: fc.constant('deposit'), asset, account, amount, copyOf: fc.option(which) }),
  },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('withdrawal'), asset, account, amount }) },
  { weight: 3, arbitrary: fc.record({ order: fc.constant('transfer'), asset, account, to: account, amount }) },
  {
    weight: 9,
    arbitrary: fc.record({ order: fc.constant('screening'), transaction: which, isApproved: fc.boolean() }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      order: fc.constant('approval'),
      transaction: which,
      kind,
      person: fc.constantFrom('nobody', 'anna', 'boris'),
      persons: fc.constantFrom('one', 'two', 'two if proposed'),
    }),
  },
  { weight: 3, arbitrary: fc.record({ order: fc.constant('rejection'), transaction: which, kind }) },
  { weight: 7, arbitrary: fc.record({ order: fc.constant('completion'), transaction: which }) },
  { weight: 2, arbitrary: fc.record({ order: fc.constant('failure'), transaction: which }) },
) as fc.Arbitrary<Order>
const sequence = fc.array(fc.array(order, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 12 })

/** One sequence's share of the ledger. */
interface Play {
  ledger: Ledger
  model: Model
  assetIds: string[]
  accountIds: string[]
  /** Their ids, in the order in which the model has them. */
  ids: string[]
  deposits: { input: NewDeposit; id: string }[]
}

async function begin(ledger: Ledger): Promise<Play> {
  const assetIds: string[] = []
  for (let i = 0; i < assets; i++) assetIds.push(await makeAsset(ledger, { decimalPlaces: decimals }))
  const made = await Promise.all(Array.from({ length: accounts }, () => ledger.account()))
  const accountIds = made.map(({ id }) => id)
  return { ledger, model: newModel(assets, accounts), assetIds, accountIds, ids: [], deposits: [] }
}

/** The transaction that is meant, among those that there are; null when there is none yet. */
const meant = (order: Order, count: number): Order | null =>
  !('transaction' in order) ? order : count === 0 ? null : { ...order, transaction: order.transaction % count }

/** Carries an order out; answers how it ended, in the model's words. */
async function carryOut(play: Play, order: Order): Promise<string> {
  const { ledger, assetIds, accountIds, ids } = play
  const { store } = ledger
  const idOf = (index: number) => ids[index] ?? ''
  const accountOf = (index: number) => accountIds[index] ?? ''
  const assetOf = (index: number) => assetIds[index] ?? ''
  const made = async (work: Promise<{ id: string }>) => {
    ids.push((await work).id)
    return 'made'
  }
  switch (order.order) {
    case 'deposit':
      return await depositOf(play, order)
    case 'withdrawal': {
      const place = { accountId: accountOf(order.account), assetId: assetOf(order.asset) }
      const input = { ...place, network, destinationAddress: outside }
      return await made(
        store.commit((tx) => createWithdrawal(tx, { ...input, amount: text(order.amount) }, new Date())),
      )
    }
    case 'transfer': {
      const sides = { fromAccountId: accountOf(order.account), toAccountId: accountOf(order.to) }
      const assetId = assetOf(order.asset)
      return await made(
        store.commit((tx) => createTransfer(tx, { ...sides, assetId, amount: text(order.amount) }, new Date())),
      )
    }
    case 'screening':
      await store.commit(async (tx) => {
        const verdict = { id: idOf(order.transaction), isApproved: order.isApproved }
        const [outcome] = await completeScreenings(tx, [verdict], new Date())
        if (outcome instanceof AppError) throw outcome
      })
      return 'done'
    case 'approval': {
      const { person, persons } = order
      const actor = person === 'nobody' ? null : { kind: 'user' as const, id: person }
      const approval = { actor, persons }
      const { isProposed } = await store.commit((tx) =>
        approveFrozen(tx, idOf(order.transaction), order.kind, approval, new Date()),
      )
      return isProposed ? 'proposed' : 'done'
    }
    case 'rejection':
      await store.commit((tx) => rejectFrozen(tx, idOf(order.transaction), order.kind, { actor: null }, new Date()))
      return 'done'
    case 'completion':
      return await store.commit((tx) => completeTransaction(tx, idOf(order.transaction), { at: new Date() }))
    case 'failure':
      return await store.commit((tx) => failTransaction(tx, idOf(order.transaction), 'no', new Date()))
  }
}

async function depositOf(play: Play, order: Extract<Order, { order: 'deposit' }>): Promise<string> {
  const copied = order.copyOf === null ? undefined : play.deposits[order.copyOf % play.deposits.length]
  const input = copied?.input ?? {
    accountId: play.accountIds[order.account] ?? '',
    assetId: play.assetIds[order.asset] ?? '',
    network,
    amount: text(order.amount),
    sourceAddress: outside,
    txHash: crypto.randomUUID(),
  }
  const { deposit, isNew } = await play.ledger.store.commit((tx) => createDeposit(tx, input, { now: new Date() }))
  if (!isNew) return 'known'
  const { id } = deposit
  play.ids.push(id)
  play.deposits.push({ input, id })
  return 'made'
}

const text = (value: bigint) => formatAmount(value, decimals)

const wordOf = (error: unknown): string => {
  if (error instanceof AppError) return error.code
  throw error
}

/** Orders that arrive together are carried out in their order: what they come to is known exactly. */
async function playGroup(play: Play, group: Order[]): Promise<void> {
  const orders = group.flatMap((order) => meant(copies(order, play), play.model.transactions.length) ?? [])
  const outcomes = await Promise.all(orders.map((order) => carryOut(play, order).catch(wordOf)))
  expect(outcomes).toEqual(orders.map((order) => apply(play.model, order)))
}

/** A copy needs a deposit that was there before the group. */
const copies = (order: Order, { deposits }: Play): Order =>
  order.order === 'deposit' && deposits.length === 0 ? { ...order, copyOf: null } : order

async function compare({ ledger, model, assetIds, accountIds, ids }: Play): Promise<void> {
  for (const [place, book] of model.books.entries()) {
    await compareBook(ledger, book, assetIds[place] ?? '', accountIds)
  }
  for (const [index, id] of ids.entries()) {
    expect((await transactionById(ledger.store.read, id)).status).toBe(model.transactions[index]?.status ?? 'PENDING')
  }
}

async function compareBook(ledger: Ledger, book: Book, assetId: string, accountIds: string[]): Promise<void> {
  for (const [index, accountId] of accountIds.entries()) {
    const path = `/balances/account/${accountId}?filter[assetId]=${assetId}`
    const { body } = await ledger.ask<Record<string, string>[]>('GET', path)
    const { available = 0n, frozen = 0n } = book.accounts[index] ?? {}
    const zero = { availableBalance: '0', frozenBalance: '0', totalBalance: '0' }
    const expected = {
      availableBalance: text(available),
      frozenBalance: text(frozen),
      totalBalance: text(available + frozen),
    }
    expect(body[0] ?? zero).toMatchObject(expected)
  }
  const system = await ledger.store.read.select().from(systemBalances).where(eq(systemBalances.assetId, assetId))
  const { outside } = await unfolded(ledger.store.read)
  const rows = [...system, ...outside.filter((row) => row.assetId === assetId)]
  const held = (name: string) =>
    rows.filter((row) => row.name === `${name}:${network}`).reduce((sum, { amount }) => sum + amount, 0n)
  expect([held('suspense'), held('world')]).toEqual([book.suspense, book.world])
}

test(`${runs * sequencesPerRun} random sequences come to what a small model says, and the audit agrees`, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(sequence, { minLength: sequencesPerRun, maxLength: sequencesPerRun }),
      async (sequences) => {
        const ledger = await openLedger()
        const plays = await Promise.all(sequences.map(() => begin(ledger)))
        await Promise.all(
          sequences.map(async (groups, index) => {
            const play = plays[index]
            if (!play) return
            for (const group of groups) {
              await playGroup(play, group)
              await foldNext(ledger.store, 1 + (index % 5))
            }
          }),
        )
        await Promise.all(plays.map(compare))
        await sealJournal(ledger.deps)
        const report = await auditAll(ledger.store)
        expect(report.entries).toBe(plays.reduce((sum, { model }) => sum + entriesOf(model), 0))
        expect(report.sealed).toBe(report.entries)
        await ledger.close()
      },
    ),
    { numRuns: runs },
  )
})
