// Entries, moves and requests of one commit: each pays from what those before it have left, and is refused alone.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { TransactionCreated, TransactionMoved } from '@bursar/contracts/core-ledger'
import { eq } from '@bursar/store'
import { auditAll } from '../src/audit/audit'
import { journal } from '../src/ledger/journal.table'
import { OverdrawnError, type Posting, postAll } from '../src/ledger/post'
import { moveAll } from '../src/movements/move'
import { transactionById } from '../src/movements/read-transactions'
import { type Account, type RunningLedger, runLedger } from './execution-harness'

let running: RunningLedger
beforeEach(async () => {
  running = await runLedger()
})
afterEach(() => running.close())

const statusesOf = async (ids: string[]) => {
  const found = await Promise.all(ids.map(running.transaction))
  return found.map(({ status }) => status)
}
const entriesOf = async (id: string) => {
  const rows = await running.ledger.store.read.select().from(journal).where(eq(journal.transactionId, id))
  return rows.map(({ kind, amount }) => `${kind} ${amount}`)
}

describe('withdrawals that are asked for at the same time', () => {
  // Whatever a test has done, the books agree with the journal.
  afterEach(() => auditAll(running.ledger.store))

  const order = (account: Account, amount: string, fields: object = {}) => ({
    accountId: account.id,
    assetId: running.asset.id,
    network: running.asset.network,
    amount,
    destinationAddress: 'destination-1',
    ...fields,
  })
  const post = (body: object, headers: Record<string, string> = {}) =>
    running.ledger.ask<{ id: string; message: string }>('POST', '/transactions/withdrawal', body, headers)

  test('one account pays until it has no more; what is refused keeps no other back', async () => {
    const other = await running.newAsset()
    const [anna, boris] = [await running.funded('10'), await running.funded('3')]
    const bodies = [
      order(anna, '4'),
      order(boris, '3'),
      order(anna, '7'),
      order(anna, '1', { assetId: other.id, network: other.network }),
      order(anna, '1', { assetId: Bun.randomUUIDv7() }),
      order({ ...anna, id: anna.id.toUpperCase() }, '5.5'),
      order(anna, '1', { network: 'elsewhere' }),
      order(boris, '0.01'),
      order(anna, '0.5'),
      order(anna, '0.01'),
    ]
    await post(order(anna, '0'))
    const { store } = running.ledger
    const { commit } = store
    const callers: (() => number)[] = []
    store.commit = (body, keys, options = {}) => {
      // The others are the relay's, which come when they are due.
      if (!options.isMadeUpFor && !options.isUrgent) callers.push(options.callers ?? (() => 1))
      return commit(body, keys, options)
    }
    const answers = await Promise.all(bodies.map((body) => post(body)))
    expect(callers.map((count) => count())).toEqual([bodies.length])
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 400, 400, 404, 201, 400, 400, 201, 400])
    expect(answers[2]?.body.message).toMatch(/^Insufficient balance: 6 COIN\d+ available, 7 COIN\d+ asked$/)
    expect(answers[7]?.body.message).toMatch(/^Insufficient balance: 0 /)
    expect(await running.balance(anna)).toEqual({ available: '0', frozen: '10' })
    expect(await running.balance(boris)).toEqual({ available: '0', frozen: '3' })
    const ids = answers.flatMap(({ status, body }) => (status === 201 ? [body.id] : []))
    expect(await Promise.all(ids.map(entriesOf))).toEqual([['hold 400'], ['hold 300'], ['hold 550'], ['hold 50']])
  })

  test('each answers its own request, under its own key and id', async () => {
    const account = await running.funded('10')
    const amounts = ['1', '2', '3']
    const ask = () =>
      Promise.all(
        amounts.map((amount) =>
          post(order(account, amount), { 'idempotency-key': `k${amount}`, 'x-request-id': `r${amount}` }),
        ),
      )
    const answers = await ask()
    const again = await ask()
    expect(again.map(({ body }) => body)).toEqual(answers.map(({ body }) => body))
    expect(await running.balance(account)).toEqual({ available: '4', frozen: '6' })
    const created = (await running.ledger.events()).filter(({ name }) => name === TransactionCreated.name)
    const requestOf = (id: string) => created.find(({ data }) => (data as { id: string }).id === id)?.requestId
    expect(answers.map(({ body }) => requestOf(body.id))).toEqual(['r1', 'r2', 'r3'])
    await Promise.all(
      answers.map(({ body }, i) =>
        running.ledger.ask(
          'POST',
          '/transactions/complete-screening',
          { id: body.id, isApproved: i > 0 },
          { 'x-request-id': `s${i}` },
        ),
      ),
    )
    const moved = (await running.ledger.events()).filter(({ name }) => name === TransactionMoved.name)
    const moverOf = (id: string) => moved.find(({ data }) => (data as { id: string }).id === id)?.requestId
    expect(answers.map(({ body }) => moverOf(body.id))).toEqual(['s0', 's1', 's2'])
  })
})

test('one that is there twice, or that another was faster with, is not moved, and neither are the others', async () => {
  const { store } = running.ledger
  const account = await running.funded('10')
  const [one = '', two = ''] = [await running.withdraw(account, '1'), await running.withdraw(account, '2')]
  const [first, second] = [await transactionById(store.read, one), await transactionById(store.read, two)]
  const moving = (...records: (typeof first)[]) => records.map((transaction) => ({ transaction, change: {} }))
  const freeze = (...records: (typeof first)[]) =>
    store.commit((tx) => moveAll(tx, 'FROZEN', moving(...records), new Date()))
  await expect(freeze(first, second, first)).rejects.toThrow('is PENDING and cannot become FROZEN')
  expect(await statusesOf([one, two])).toEqual(['PENDING', 'PENDING'])
  await freeze(first)
  await expect(freeze(second, first)).rejects.toThrow('is PENDING and cannot become FROZEN')
  expect(await statusesOf([one, two])).toEqual(['FROZEN', 'PENDING'])
  await expect(freeze(await transactionById(store.read, one))).rejects.toThrow(
    `${one} is FROZEN and cannot become FROZEN`,
  )
})

describe('entries of one commit', () => {
  const holdOf = ({ id: accountId }: Account, amount: bigint, assetId = running.asset.id): Posting => {
    const id = Bun.randomUUIDv7()
    return { id, type: 'WITHDRAWAL', accountId, toAccountId: null, assetId, network: 'testnet', amount }
  }
  const post = (...entries: Parameters<typeof postAll>[1]) =>
    running.ledger.store.commit((tx) => postAll(tx, entries, new Date()))
  const hold = (of: Posting) => ({ kind: 'hold' as const, of })

  test('the same account several times: its balance is checked after each', async () => {
    const account = await running.funded('10')
    await expect(post(hold(holdOf(account, 600n)), hold(holdOf(account, 401n)))).rejects.toThrow(
      `Account ${account.id} would hold -1 available and 1001 frozen of ${running.asset.id}`,
    )
    const one = holdOf(account, 600n)
    // There is enough in the end, and was not at that moment.
    await expect(post(hold(one), hold(holdOf(account, 600n)), { kind: 'release', of: one })).rejects.toThrow(
      OverdrawnError,
    )
    expect(await running.balance(account)).toEqual({ available: '10', frozen: '0' })
    await post(hold(one), { kind: 'release', of: one }, hold(holdOf(account, 600n)), hold(holdOf(account, 400n)))
    expect(await running.balance(account)).toEqual({ available: '0', frozen: '10' })
  })

  test('of two assets: neither pays for the other', async () => {
    const other = await running.newAsset()
    const account = await running.funded('10')
    const holds = [hold(holdOf(account, 1000n)), hold(holdOf(account, 1n, other.id))]
    await expect(post(...holds)).rejects.toThrow(`would hold -1 available and 1 frozen of ${other.id}`)
    await expect(post(...holds.toReversed())).rejects.toThrow(OverdrawnError)
    expect(await running.balance(account)).toEqual({ available: '10', frozen: '0' })
  })
})
