// Transactions that are moved by one commit and few statements: each comes to what it would have come to alone.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { and, eq } from '@bursar/store'
import { until } from '@bursar/testing'
import { auditAll } from '../src/audit/audit'
import { balances } from '../src/ledger/balances.table'
import { journal } from '../src/ledger/journal.table'
import { OverdrawnError } from '../src/ledger/post'
import { type ClaimedWork, executionQueue } from '../src/movements/execution-queue'
import { completeApproved } from '../src/movements/move'
import { transactionById } from '../src/movements/read-transactions'
import { type Order, ordersOf, workOf } from '../src/movements/read-work'
import { work } from '../src/movements/work.table'
import { beginAttempts } from '../src/withdrawals/begin-attempt'
import { freezeAgain } from '../src/withdrawals/rescreening'
import { settleWithdrawals } from '../src/withdrawals/settle'
import { type Account, phase, type RunningLedger, runLedger } from './execution-harness'
import { changed, hashOf } from './execution-wallet'

let running: RunningLedger
beforeEach(async () => {
  // None is asked about before an hour: only what a test does is counted.
  running = await runLedger({ tuning: { retry: { firstMs: 3_600_000, longestMs: 3_600_000 } } })
  running.wallet.otherwise('accepted')
})
afterEach(() => running.close())

/** Withdrawals of these amounts that the wallet service has accepted. */
async function accepted(account: Account, amounts: string[], asset = running.asset): Promise<string[]> {
  const fields = { assetId: asset.id, network: asset.network }
  const ids = await Promise.all(amounts.map((amount) => running.withdraw(account, amount, fields)))
  await Promise.all(ids.map((id) => running.screen(id, true)))
  for (const id of ids) await until(async () => (await workOf(running.ledger.store.read, id))?.acceptedAt)
  return ids
}

const confirmed = (id: string, txHash = hashOf(id)) => changed({ id, status: 'confirmed', txHash, reason: null })
const statusesOf = async (ids: string[]) => {
  const found = await Promise.all(ids.map(running.transaction))
  return found.map(({ status }) => status)
}
const entriesOf = async (id: string) => {
  const rows = await running.ledger.store.read.select().from(journal).where(eq(journal.transactionId, id))
  return rows.map(({ kind, amount }) => `${kind} ${amount}`)
}
/** Events that arrive in one job; how many commits they took. */
async function heard(...events: Parameters<typeof running.ledger.consume>[0][]) {
  const { store, consume, events: published } = running.ledger
  // Else what the relay still does for earlier ones is counted as well.
  await published()
  const before = store.counts()
  const outcomes = await Promise.allSettled(events.map((event) => consume(event)))
  const { bodies, statements } = store.counts()
  return { outcomes, bodies: bodies - before.bodies, statements: statements - before.statements }
}

/** Whatever a test has done, the books agree with the journal. */
const audited = () => auditAll(running.ledger.store)

describe('events that arrive together', () => {
  afterEach(audited)

  test('move each once: one that is given twice is not moved, though its account holds as much', async () => {
    const [id = ''] = await accepted(await running.funded('100'), ['5', '5'])
    const twice = running.ledger.store.commit(async (tx) => {
      const transaction = await transactionById(tx, id)
      await completeApproved(tx, [{ transaction }, { transaction }], new Date())
    })
    await expect(twice).rejects.toThrow('cannot become COMPLETED')
    expect(await entriesOf(id)).toEqual(['hold 500'])
  })

  test('complete withdrawals of several accounts and assets in one commit, each balance by its own amounts', async () => {
    const other = await running.newAsset()
    const [anna, boris] = [await running.funded('100'), await running.funded('50')]
    const deposit = await running.deposit(anna, '30', other)
    await running.screen(deposit, true)
    await running.reached(deposit, 'COMPLETED')
    const ids = [
      ...(await accepted(anna, ['1', '2', '3', '4.5'])),
      ...(await accepted(boris, ['10', '20'])),
      ...(await accepted(anna, ['7', '8'], other)),
    ]
    const { outcomes, bodies, statements } = await heard(...ids.map((id) => confirmed(id)))
    expect(outcomes.every(({ status }) => status === 'fulfilled')).toBe(true)
    expect(bodies).toBe(1)
    expect(statements).toBeLessThan(20)
    expect(await statusesOf(ids)).toEqual(ids.map(() => 'COMPLETED'))
    expect(await running.balance(anna)).toEqual({ available: '89.5', frozen: '0' })
    expect(await running.balance(anna, other.code)).toEqual({ available: '15', frozen: '0' })
    expect(await running.balance(boris)).toEqual({ available: '20', frozen: '0' })
    for (const id of ids) expect((await running.transaction(id)).transactionData.txHash).toBe(hashOf(id))
    expect(await running.ledger.store.read.select().from(work)).toEqual([])
  })

  test('the same one twice, and another one of the same state: completed once', async () => {
    const account = await running.funded('100')
    const [id = '', other = ''] = await accepted(account, ['40', '5'])
    const event = confirmed(id)
    await heard(event, confirmed(other), event, confirmed(id))
    expect(await entriesOf(id)).toEqual(['hold 4000', 'settlement 4000'])
    expect(await statusesOf([id, other])).toEqual(['COMPLETED', 'COMPLETED'])
    expect(await running.balance(account)).toEqual({ available: '55', frozen: '0' })
  })

  test('out of order: the final one counts, and what comes after it changes nothing', async () => {
    const account = await running.funded('100')
    const [late = '', inOrder = '', older = ''] = await accepted(account, ['10', '20', '30'])
    const sent = (id: string, txHash: string, version?: number) =>
      changed({ id, status: 'broadcast', txHash, reason: null, ...(version && { version }) })
    await heard(
      confirmed(late),
      sent(inOrder, '0xsent'),
      sent(older, '0xnewer', 1_000_002),
      sent(late, '0xlate'),
      sent(older, '0xolder', 1_000_001),
      confirmed(inOrder),
    )
    expect(await statusesOf([late, inOrder, older])).toEqual(['COMPLETED', 'COMPLETED', 'APPROVED'])
    const hashes = await Promise.all([late, inOrder, older].map(running.transaction))
    expect(hashes.map(({ transactionData }) => transactionData.txHash)).toEqual([
      hashOf(late),
      hashOf(inOrder),
      '0xnewer',
    ])
    expect(phase(await running.transaction(older), 'confirmation')?.status).toBe('IN_PROGRESS')
    expect(await workOf(running.ledger.store.read, older)).toMatchObject({ toldVersion: 1_000_002 })
    expect(await running.balance(account)).toEqual({ available: '40', frozen: '30' })
  })

  test('one that cannot be applied is tried again, and takes no other with it', async () => {
    const [anna, boris] = [await running.funded('100'), await running.funded('100')]
    const ids = await accepted(anna, ['1', '2'])
    const [spoilt = ''] = await accepted(boris, ['40'])
    const { store } = running.ledger
    const isBoris = and(eq(balances.accountId, boris.id), eq(balances.assetId, running.asset.id))
    await store.commit(async (tx) => {
      await tx.update(balances).set({ frozen: 3999n }).where(isBoris)
    })
    const [one = '', two = ''] = ids
    const event = confirmed(spoilt)
    const { outcomes } = await heard(confirmed(one), event, confirmed(two))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect((outcomes[1] as PromiseRejectedResult).reason).toBeInstanceOf(OverdrawnError)
    expect(await statusesOf([one, spoilt, two])).toEqual(['COMPLETED', 'APPROVED', 'COMPLETED'])
    expect(await entriesOf(spoilt)).toEqual(['hold 4000'])
    await store.commit(async (tx) => {
      await tx.update(balances).set({ frozen: 4000n }).where(isBoris)
    })
    await heard(event)
    expect(await statusesOf([spoilt])).toEqual(['COMPLETED'])
  })
})

describe('attempts of one commit', () => {
  afterEach(audited)

  /** Approved withdrawals that nobody has begun with, claimed. */
  async function claimed(amounts: string[]) {
    const account = await running.funded('100')
    await running.worker.stop()
    const ids = await Promise.all(amounts.map((amount) => running.withdraw(account, amount)))
    await Promise.all(ids.map((id) => running.screen(id, true)))
    const { store } = running.ledger
    const retry = { firstMs: 1000, longestMs: 1000 }
    const queue = executionQueue(retry)
    const settling = { store, now: () => new Date(), retry, queue }
    const claims = await queue.claim(store, { now: new Date(), limit: 10, lane: 'chain' })
    const rows = ids.flatMap((id) => claims.filter(({ transactionId }) => transactionId === id))
    const orders = await ordersOf(store.read, ids)
    const beginning = (row: ClaimedWork, unknown: string | null = null) => ({
      row,
      order: orders.get(row.transactionId) as Order,
      unknown,
    })
    return { account, ids, store, settling, rows, beginning }
  }
  const refusal = { reason: 'listed', listedAt: new Date() }

  test('one that was frozen in between orders nothing; the others do', async () => {
    const { ids, store, settling, rows, beginning } = await claimed(['1', '2', '3'])
    await store.commit((tx) => freezeAgain(tx, ids[1] ?? '', refusal, new Date()))
    const attempts = await store.commit((tx) =>
      beginAttempts(
        tx,
        settling,
        rows.map((row) => beginning(row)),
      ),
    )
    expect(attempts.map((attempt) => attempt?.order.id ?? null)).toEqual([ids[0] ?? '', null, ids[2] ?? ''])
    const orders = await Promise.all(ids.map((id) => workOf(store.read, id)))
    expect(orders.map((order) => order?.orderedAt != null)).toEqual([true, false, true])
  })

  test('an account that is not active, or not known, keeps its own back alone, and is said why', async () => {
    const { store, settling, rows, beginning } = await claimed(['1', '2'])
    const [first, second] = rows
    if (!first || !second) throw new Error('nothing was claimed')
    const attempts = await store.commit((tx) =>
      beginAttempts(tx, settling, [beginning(first, 'nobody knows'), beginning(second)]),
    )
    expect(attempts.map((attempt) => attempt?.ask ?? null)).toEqual([null, 'order'])
    expect(await workOf(store.read, first.transactionId)).toMatchObject({ attempts: 1, lastError: 'nobody knows' })
  })

  test('each ends by what was found of it', async () => {
    const { account, ids, store, settling, rows } = await claimed(['1', '2', '4', '8', '16', '32'])
    const [paid, failed, unknown, taken, sent, frozen] = rows
    if (!paid || !failed || !unknown || !taken || !sent || !frozen) throw new Error('nothing was claimed')
    await store.commit((tx) => freezeAgain(tx, frozen.transactionId, refusal, new Date()))
    const is = 'accepted'
    await store.commit((tx) =>
      settleWithdrawals(tx, settling, [
        { row: unknown, finding: { is: 'unknown', reason: 'no answer' } },
        { row: sent, finding: { is, broadcast: true, txHash: '0xsent', waitsFor: null } },
        { row: paid, finding: { is: 'confirmed', txHash: '0xpaid' } },
        { row: taken, finding: { is, broadcast: false, txHash: null, waitsFor: 'coins' } },
        { row: frozen, finding: { is, broadcast: false, txHash: null, waitsFor: null } },
        { row: failed, finding: { is: 'failed', reason: 'refused' } },
      ]),
    )
    expect(await statusesOf(ids)).toEqual(['COMPLETED', 'FAILED', 'APPROVED', 'APPROVED', 'APPROVED', 'FROZEN'])
    const found = await Promise.all(ids.map((id) => workOf(store.read, id)))
    expect(found.map((each) => each && [each.attempts, each.lastError, each.acceptedAt !== null])).toEqual([
      undefined,
      undefined,
      [1, 'no answer', false],
      [0, 'coins', true],
      [0, null, true],
      undefined,
    ])
    expect((await running.transaction(sent.transactionId)).transactionData.txHash).toBe('0xsent')
    expect(await running.balance(account)).toEqual({ available: '39', frozen: '60' })
    const events = (await running.ledger.events()).filter(({ requestId }) => ids.includes(requestId ?? ''))
    expect(events.map(({ requestId }) => requestId).toSorted()).toEqual(
      [paid.transactionId, failed.transactionId].toSorted(),
    )
  })

  test('paid although it is frozen here: that attempt fails, and nothing of the others is written with it', async () => {
    const { ids, store, settling, rows } = await claimed(['1', '2'])
    const [paid, frozen] = rows
    if (!paid || !frozen) throw new Error('nothing was claimed')
    await store.commit((tx) => freezeAgain(tx, frozen.transactionId, refusal, new Date()))
    const both = [paid, frozen].map((row) => ({ row, finding: { is: 'confirmed' as const, txHash: '0x1' } }))
    await expect(store.commit((tx) => settleWithdrawals(tx, settling, both))).rejects.toThrow('which is FROZEN here')
    expect(await statusesOf(ids)).toEqual(['APPROVED', 'FROZEN'])
  })
})
