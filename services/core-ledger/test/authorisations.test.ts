import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Authorisation } from '@bursar/contracts/core-ledger'
import { eq } from '@bursar/store'
import { until } from '@bursar/testing'
import { upsertAccount } from '../src/accounts/accounts'
import { fail } from '../src/errors'
import { journal } from '../src/ledger/journal.table'
import { postAll } from '../src/ledger/post'
import { leaseMs } from '../src/movements/execution-queue'
import { transactions } from '../src/movements/transactions.table'
import { work } from '../src/movements/work.table'
import { destinationAddress, phase, type RunningLedger, runLedger } from './execution-harness'
import { hashOf } from './execution-wallet'
import { newAccount } from './owners'
import { closeShortfall, openShortfall } from './shortfalls'

let running: RunningLedger
let isClosed = false
beforeAll(async () => {
  running = await runLedger()
  const { books } = running.ledger.deps
  const areClosed = books.areClosed
  Object.assign(books, { areClosed: () => isClosed || areClosed() })
})
afterAll(() => running.close())

const path = '/internal/authorisations'
const authorise = async (...ids: string[]) => {
  const { ask, asService } = running.ledger
  const answer = await ask<{ items: (Authorisation | null)[] }>('POST', path, { items: ids }, await asService('wallet'))
  expect(answer.status).toBe(200)
  return answer.body.items
}
const reasonOf = async (id: string) => {
  const [answer] = await authorise(id)
  expect(answer).toMatchObject({ id, terms: null })
  return answer?.reason
}
const store = () => running.ledger.store

/** A withdrawal of 40 out of 100 that was ordered, and that the wallet service has accepted. */
async function ordered() {
  const account = await running.funded('100')
  const id = await running.withdraw(account, '40')
  running.wallet.script(id, 'accepted')
  await running.screen(id, true)
  await until(() => running.wallet.records.has(id))
  return { account, id }
}

describe('POST /internal/authorisations', () => {
  test('terms for an approved, held and ordered withdrawal: exactly those of the order', async () => {
    const { account, id } = await ordered()
    expect(await authorise(id)).toEqual([
      {
        id,
        reason: null,
        terms: {
          accountId: account.id,
          network: 'testnet',
          assetCode: running.asset.code,
          contractAddress: null,
          amount: '40',
          decimals: 2,
          destinationAddress,
        },
      },
    ])
    const order = running.wallet.started.find((one) => one.id === id)
    expect(order).toMatchObject((await authorise(id))[0]?.terms ?? {})
  })

  test('null for an id without a withdrawal; each item has its own answer, in order', async () => {
    const { account, id } = await ordered()
    const deposit = await running.deposit(account, '1')
    const items = await authorise(Bun.randomUUIDv7(), id, deposit, id)
    expect(items.map((item) => item?.terms?.amount)).toEqual([undefined, '40', undefined, '40'])
  })

  test('none for a withdrawal that is not approved, or has ended', async () => {
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    expect(await reasonOf(id)).toBe('The withdrawal is PENDING; only an APPROVED one is signed')
    await running.screen(id, false)
    expect(await reasonOf(id)).toBe('The withdrawal is FROZEN; only an APPROVED one is signed')
    await running.ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`, {})
    expect(await reasonOf(id)).toBe('The withdrawal is REJECTED; only an APPROVED one is signed')
    const { id: paid } = await ordered()
    running.wallet.script(paid, 'confirmed')
    await running.reached(paid, 'COMPLETED')
    expect(await reasonOf(paid)).toBe('The withdrawal is COMPLETED; only an APPROVED one is signed')
  })

  test('its end is final, with its transaction; nothing before it has ended, or while the books are closed', async () => {
    const ended = async (id: string) => (await authorise(id))[0]?.ended
    const account = await running.funded('100')
    const id = await running.withdraw(account, '40')
    expect(await ended(id)).toBeUndefined()
    await running.screen(id, false)
    expect(await ended(id)).toBeUndefined()
    await running.ledger.ask('POST', `/transactions/${id}/reject-frozen-withdrawal`, {})
    expect(await ended(id)).toEqual({ status: 'REJECTED', txHash: null })
    const { id: paid } = await ordered()
    expect(await ended(paid)).toBeUndefined()
    running.wallet.script(paid, 'confirmed')
    await running.reached(paid, 'COMPLETED')
    expect(await ended(paid)).toEqual({ status: 'COMPLETED', txHash: hashOf(paid) })
    const { id: failed } = await ordered()
    running.wallet.script(failed, 'failed')
    await running.reached(failed, 'FAILED')
    expect(await ended(failed)).toEqual({ status: 'FAILED', txHash: null })
    isClosed = true
    const whileClosed = await ended(paid)
    isClosed = false
    expect(whileClosed).toBeUndefined()
  })

  test('503 while the books are closed for an id that is unknown to this ledger: another one may know it', async () => {
    const { id } = await ordered()
    const { ask, asService, deps } = running.ledger
    const { requireOpen } = deps.books
    Object.assign(deps.books, {
      requireOpen: () =>
        isClosed
          ? (() => {
              throw fail('BOOKS_DIFFER')
            })()
          : requireOpen(),
    })
    isClosed = true
    const answer = await ask('POST', path, { items: [id, Bun.randomUUIDv7()] }, await asService('wallet'))
    isClosed = false
    expect([answer.status, answer.body.message]).toEqual([503, expect.stringMatching(/^The ledger moves no money/)])
  })

  test('none for one that the ledger has not ordered', async () => {
    const { id } = await ordered()
    // Leased: the worker would order it again.
    const leasedUntil = new Date(Date.now() + leaseMs / 2)
    await store().commit(async (tx) => {
      await tx.update(work).set({ orderedAt: null, leasedUntil, dueAt: leasedUntil }).where(eq(work.transactionId, id))
    })
    expect(await reasonOf(id)).toBe('The ledger has not ordered the withdrawal')
  })

  test.each([
    ['amount', { amount: 9000n }],
    ['account', { accountId: Bun.randomUUIDv7() }],
    ['asset', { assetId: Bun.randomUUIDv7() }],
  ])('none for one that the journal holds with another %s', async (_, tampered) => {
    const { id } = await ordered()
    await store().commit(async (tx) => {
      await tx.update(transactions).set(tampered).where(eq(transactions.id, id))
    })
    expect(await reasonOf(id)).toBe('The journal does not hold the withdrawal’s amount')
  })

  test('none for one that the journal holds from another account, or in it', async () => {
    for (const tampered of [{ debit: 'available:other' }, { credit: 'frozen:other' }] as const) {
      const { id } = await ordered()
      await store().commit(async (tx) => {
        await tx.update(journal).set(tampered).where(eq(journal.transactionId, id))
      })
      expect(await reasonOf(id)).toBe('The journal does not hold the withdrawal’s amount')
    }
  })

  test('none for one whose hold was released', async () => {
    const { account, id } = await ordered()
    const hold = { type: 'WITHDRAWAL', accountId: account.id, toAccountId: null, network: 'testnet' } as const
    await store().commit((tx) =>
      postAll(tx, [{ kind: 'release', of: { ...hold, id, assetId: running.asset.id, amount: 4000n } }], new Date()),
    )
    expect(await reasonOf(id)).toBe('The journal does not hold the withdrawal’s amount')
  })

  test('none while its account or customer is not active', async () => {
    const { account, id } = await ordered()
    const put = (fields: object) =>
      store().commit((tx) => upsertAccount(tx, running.owners.putAccount(newAccount({ ...account, ...fields }))))
    await put({ status: 'suspended' })
    expect(await reasonOf(id)).toBe(`Account ${account.id} is suspended; only active accounts can be used`)
    await put({ status: 'active' })
    expect((await authorise(id))[0]?.terms?.amount).toBe('40')
  })

  test('none while the books are closed', async () => {
    const { id } = await ordered()
    isClosed = true
    const reason = await reasonOf(id)
    isClosed = false
    expect(reason).toMatch(/^No money moves/)
    expect((await authorise(id))[0]?.terms?.amount).toBe('40')
  })

  test.each([
    ['of its account', true],
    ['of all accounts', false],
  ])('none while a shortfall of its asset is open, %s', async (_, isOwn) => {
    const { account, id } = await ordered()
    const accountId = isOwn ? account.id : null
    const found = { accountId, assetId: running.asset.id, reason: 'Two are missing', since: new Date() }
    await store().commit((tx) => openShortfall(tx, found))
    expect(await reasonOf(id)).toBe('Two are missing')
    await store().commit((tx) => closeShortfall(tx, accountId, running.asset.id))
    expect((await authorise(id))[0]?.terms?.amount).toBe('40')
  })

  test('a shortfall of another account or another asset is ignored', async () => {
    const { account, id } = await ordered()
    const found = { reason: 'Two are missing', since: new Date() }
    await store().commit((tx) => openShortfall(tx, { ...found, accountId: account.id, assetId: 'other' }))
    await store().commit((tx) => openShortfall(tx, { ...found, accountId: 'other', assetId: running.asset.id }))
    expect((await authorise(id))[0]?.terms?.amount).toBe('40')
    await store().commit((tx) => closeShortfall(tx, 'other', running.asset.id))
  })

  test.each(['blockchain', 'account', 'core-ledger'] as const)(
    '401 for the service %s, and anybody else',
    async (name) => {
      const { ask, asService, as } = running.ledger
      const body = { items: [Bun.randomUUIDv7()] }
      expect((await ask('POST', path, body, await asService(name))).status).toBe(401)
      expect((await ask('POST', path, body, await as({ roles: ['admin'] }))).status).toBe(401)
      expect((await ask('POST', path, body)).status).toBe(401)
    },
  )

  test('400 for no ids, too many, and invalid ones', async () => {
    const { ask, asService } = running.ledger
    const headers = await asService('wallet')
    const items = Array.from({ length: 101 }, () => Bun.randomUUIDv7())
    for (const body of [{ items: [] }, { items }, { items: ['x'] }, {}]) {
      expect((await ask('POST', path, body, headers)).status).toBe(400)
    }
    expect(await authorise(...items.slice(0, 100))).toHaveLength(100)
  })
})

describe('a withdrawal of an asset that is short', () => {
  test('waits with the reason, is listed as stuck, and continues when the asset is covered again', async () => {
    const account = await running.funded('100')
    const found = { accountId: account.id, assetId: running.asset.id, reason: 'Two are missing', since: new Date() }
    await store().commit((tx) => openShortfall(tx, found))
    const id = await running.withdraw(account, '40')
    await running.screen(id, true)
    const waiting = await until(async () => {
      const one = await running.transaction(id)
      return phase(one, 'execution')?.detail && one
    })
    expect(phase(waiting, 'execution')?.detail).toMatch(/^Attempt \d+: Two are missing; next attempt at /)
    const stuck = await running.ledger.ask<{ id: string; reason: string }[]>('GET', '/transactions/stuck')
    expect(stuck.body.find((one) => one.id === id)?.reason).toBe('Two are missing')
    expect(running.wallet.requestsFor(id)).toBe(0)
    await store().commit((tx) => closeShortfall(tx, account.id, running.asset.id))
    await running.reached(id, 'COMPLETED')
  })

  test('one that the wallet service has accepted shows that as well', async () => {
    const { account, id } = await ordered()
    const found = { accountId: account.id, assetId: running.asset.id, reason: 'Two are missing', since: new Date() }
    await store().commit((tx) => openShortfall(tx, found))
    const detail = await until(async () =>
      phase(await running.transaction(id), 'execution')?.detail?.includes('Two are'),
    )
    expect(detail).toBe(true)
    await store().commit((tx) => closeShortfall(tx, account.id, running.asset.id))
    running.wallet.script(id, 'confirmed')
    await running.reached(id, 'COMPLETED')
  })

  test('a transfer waits for its sender’s shortfall, and not for that of all accounts', async () => {
    const [from, to] = [await running.funded('10'), await running.ledger.account()]
    const found = { assetId: running.asset.id, reason: 'Two are missing', since: new Date() }
    await store().commit((tx) => openShortfall(tx, { ...found, accountId: null }))
    const free = await running.transfer(from, to, '4')
    await running.screen(free, true)
    await running.reached(free, 'COMPLETED')
    await store().commit((tx) => closeShortfall(tx, null, running.asset.id))
    await store().commit((tx) => openShortfall(tx, { ...found, accountId: from.id }))
    const id = await running.transfer(from, to, '4')
    await running.screen(id, true)
    await until(async () => phase(await running.transaction(id), 'execution')?.detail?.includes('Two are'))
    await store().commit((tx) => closeShortfall(tx, from.id, running.asset.id))
    await running.reached(id, 'COMPLETED')
  })
})
