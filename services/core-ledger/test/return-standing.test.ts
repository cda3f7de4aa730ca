import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { DepositConfirmed, DepositReversed } from '@bursar/contracts/blockchain'
import { eq } from '@bursar/store'
import { until } from '@bursar/testing'
import { upsertAccount } from '../src/accounts/accounts'
import { heldInstitutions } from '../src/accounts/institutions.table'
import { transactions } from '../src/movements/transactions.table'
import { waitsForOperator } from '../src/withdrawals/keep-held'
import { noteListed } from '../src/withdrawals/rescreening'
import { phase, type RunningLedger, runLedger } from './execution-harness'
import { newAccount } from './owners'
import { returning } from './return-harness'
import { closeShortfall, openShortfall } from './shortfalls'

let running: RunningLedger
let it: ReturnType<typeof returning>
beforeAll(async () => {
  running = await runLedger()
  it = returning(running)
})
afterAll(() => running.close())

const store = () => running.ledger.store
/** Waits until it waits with such a reason. */
const waiting = (id: string, reason: RegExp) =>
  until(async () => {
    const found = await running.transaction(id)
    return found.status === 'APPROVED' && phase(found, 'execution')?.detail?.match(reason)
  })

describe('a return does not depend on the depositor', () => {
  test.each(['suspended', 'deleted'] as const)('it is paid and signed though the account is %s', async (status) => {
    const { id, account } = await it.rejected()
    await store().commit((tx) =>
      upsertAccount(tx, { account: newAccount({ ...account, status }), participantId: null, epoch: 1, version: 99 }),
    )
    // Whoever owns accounts does not know it any more.
    running.owners.forget(account.id)
    const back = await it.ordered(id, 'accepted')
    expect(await it.authorisation(back)).toMatchObject({
      reason: null,
      terms: { accountId: account.id, amount: '25', destinationAddress: 'source-1' },
    })
    running.wallet.script(back, 'confirmed')
    await running.reached(back, 'COMPLETED')
  })

  test('nor does it wait for a held or ended institution', async () => {
    const participantId = Bun.randomUUIDv7()
    const { id } = await it.rejected('25', { participantId })
    await store().commit(async (tx) => {
      await tx.insert(heldInstitutions).values({ id: participantId, state: 'OFFBOARDED' })
    })
    const back = await it.ordered(id, 'accepted')
    expect((await it.authorisation(back))?.terms?.amount).toBe('25')
    await until(async () => {
      const { body } = await running.ledger.ask<{ acceptedAt: string | null }>('GET', `/transactions/${back}/execution`)
      return body.acceptedAt !== null
    })
    expect(await waitsForOperator(store().read)).toBeNull()
    running.wallet.script(back, 'confirmed')
    await running.reached(back, 'COMPLETED')
  })

  test('it waits unsigned while the asset is short, and continues when it is covered', async () => {
    const asset = await running.newAsset()
    const shortfall = { accountId: null, assetId: asset.id, reason: 'Too little', since: new Date() }
    const ordered = await it.ordered((await it.rejected('25', {}, asset)).id, 'accepted')
    await store().commit((tx) => openShortfall(tx, shortfall))
    expect(await it.authorisation(ordered)).toMatchObject({ terms: null, reason: 'Too little' })
    const back = (await it.giveBack((await it.rejected('25', {}, asset)).id)).body.id
    await running.screen(back, true)
    await waiting(back, /Too little/)
    expect(running.wallet.started.filter((one) => one.id === back)).toEqual([])
    await store().commit((tx) => closeShortfall(tx, null, asset.id))
    for (const each of [ordered, back]) {
      running.wallet.script(each, 'confirmed')
      await running.reached(each, 'COMPLETED')
    }
  })
})

describe('a return is signed only while its deposit is in suspense', () => {
  test('not of a deposit that was credited, is another one, or does not exist', async () => {
    const { id } = await it.rejected()
    const back = await it.ordered(id, 'accepted')
    const change = (fields: object) =>
      store().commit(async (tx) => {
        await tx.update(transactions).set(fields).where(eq(transactions.id, id))
      })
    const before = (await store().read.select().from(transactions).where(eq(transactions.id, id)))[0]
    const other = Bun.randomUUIDv7()
    for (const fields of [
      { status: 'COMPLETED' },
      { amount: 2499n },
      { accountId: Bun.randomUUIDv7() },
      { sourceAddress: 'another' },
      { type: 'TRANSFER' },
      { id: other },
    ] as const) {
      await change(fields)
      expect(await it.authorisation(back)).toMatchObject({
        terms: null,
        reason: `Transaction ${id}, which it returns, is no deposit in suspense of its terms`,
      })
      const changed: string = 'id' in fields ? other : id
      await store().commit(async (tx) => {
        await tx
          .update(transactions)
          .set(before ?? {})
          .where(eq(transactions.id, changed))
      })
    }
    expect((await it.authorisation(back))?.terms?.amount).toBe('25')
    running.wallet.script(back, 'confirmed')
    await running.reached(back, 'COMPLETED')
  })

  test('not of one that its chain reversed: it waits with the reason, and can be failed', async () => {
    const { id: accountId } = await running.ledger.account()
    const event = {
      id: Bun.randomUUIDv7(),
      network: 'testnet',
      txHash: `hash-${Bun.randomUUIDv7()}`,
      logIndex: 0,
      accountId,
      address: 'ours',
      sourceAddress: 'source-1',
      contractAddress: null,
      amount: '2500',
      decimals: 2,
      confirmedAt: '2026-01-01T00:00:00.000Z',
      reversedAt: null as string | null,
    }
    const tell = ({ name, type }: typeof DepositConfirmed | typeof DepositReversed, data: typeof event) =>
      running.ledger.consume({ ...envelope, id: Bun.randomUUIDv7(), name, type, data })
    const envelope = { timestamp: event.confirmedAt, requestId: null, service: 'blockchain' as const }
    await tell(DepositConfirmed, event)
    const deposit = (await running.ledger.ask<{ id: string }[]>('GET', `/transactions?accountId=${accountId}`)).body[0]
    const id = deposit?.id ?? ''
    await running.screen(id, false)
    await it.reject(id, 'deposit')
    const back = (await it.giveBack(id)).body.id
    await tell(DepositReversed, { ...event, reversedAt: '2026-01-02T00:00:00.000Z' })
    await running.screen(back, true)
    await waiting(back, /taken off its chain at 2026-01-02T00:00:00.000Z/)
    expect(running.wallet.started.filter((one) => one.id === back)).toEqual([])
    const failed = await running.ledger.ask('POST', `/transactions/${back}/fail`, { reason: 'It never came' })
    expect(failed.status).toBe(200)
    const again = await it.giveBack(id)
    expect([again.status, again.body.message]).toEqual([
      422,
      'Its transfer was taken off the chain at 2026-01-02T00:00:00.000Z; it waits until it is confirmed again',
    ])
    expect((await it.entries(back)).at(-1)).toBe('return-release returning suspense')
  })
})

test('a return that the wallet service has lost is ordered again, as one that may have been paid', async () => {
  const { id } = await it.rejected()
  const back = await it.ordered(id, 'accepted')
  await until(async () => {
    const { body } = await running.ledger.ask<{ acceptedAt: string | null }>('GET', `/transactions/${back}/execution`)
    return body.acceptedAt !== null
  })
  running.wallet.records.delete(back)
  const orders = () => running.wallet.started.filter((one) => one.id === back)
  await until(() => orders().length > 1)
  expect(orders().at(-1)).toMatchObject({ wasAccepted: true, amount: '25', destinationAddress: 'source-1' })
  running.wallet.script(back, 'confirmed')
  await running.reached(back, 'COMPLETED')
})

describe('a return whose source is listed after it was ordered', () => {
  /** Frozen again, when the wallet service asks whether it may sign. */
  async function frozenAgain(sourceAddress: string): Promise<{ deposit: string; back: string }> {
    const { id: accountId } = await running.ledger.account()
    const { asset } = running
    const body = { accountId, assetId: asset.id, network: asset.network, amount: '5', sourceAddress }
    const made = await running.ledger.ask<{ id: string }>('POST', '/transactions/deposit', {
      ...body,
      txHash: Bun.randomUUIDv7(),
    })
    await running.screen(made.body.id, false)
    await it.reject(made.body.id, 'deposit')
    const back = await it.ordered(made.body.id, 'accepted')
    const listed = { address: sourceAddress, source: null, at: new Date().toISOString() }
    await store().commit((tx) => noteListed(tx, listed as never))
    expect(await it.authorisation(back)).toMatchObject({ terms: null, reason: expect.stringContaining('sanctioned') })
    expect(await it.read(back)).toMatchObject({ status: 'FROZEN' })
    // No attempt of before orders it any more.
    await until(() => running.worker.idle?.() ?? true)
    return { deposit: made.body.id, back }
  }
  const approve = (id: string) => running.ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {})

  test('is not approved: the wallet service never pays it, and rejected it is in suspense again', async () => {
    const { deposit, back } = await frozenAgain('listed-later-1')
    running.wallet.records.delete(back)
    expect((await approve(back)).body.message).toContain('reject it, and return the deposit once')
    expect(running.wallet.records.get(back)).toMatchObject({ status: 'failed' })
    expect((await it.reject(back, 'withdrawal')).status).toBe(200)
    expect((await it.giveBack(deposit)).status).toBe(201)
  })

  test('continues, approved, only if the wallet service may have paid it', async () => {
    const { back } = await frozenAgain('listed-later-2')
    expect((await it.reject(back, 'withdrawal')).status).toBe(409)
    expect((await approve(back)).status).toBe(200)
    running.wallet.script(back, 'confirmed')
    await running.reached(back, 'COMPLETED')
  })
})
