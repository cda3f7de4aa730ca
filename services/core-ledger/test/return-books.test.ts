import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { type LocalServer, localServer } from '@bursar/testing'
import { runRaw } from '@bursar/testing/service'
import { auditAll } from '../src/audit/audit'
import { auditDeposits, noFigures } from '../src/audit/audit-deposits'
import { AuditDifference } from '../src/audit/audit-difference'
import { createAuditor } from '../src/audit/auditor'
import { postAll } from '../src/ledger/post'
import { transactions } from '../src/movements/transactions.table'
import { work } from '../src/movements/work.table'
import { owedOnChains, owedToPortfolios } from '../src/reconciliation/owed'
import { missingOrders, reconcileOrders } from '../src/reconciliation/reconcile-orders'
import { sealJournal } from '../src/seals/seal-journal'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, complete, failIt, makeBench, pay, rejectedDeposit, screen } from './steps'

const nowhere = Bun.randomUUIDv7()

let peers: LocalServer
/** The id and hash that the wallet service has confirmed. */
let confirmed: [string, string][]
let ledger: Ledger
let bench: Bench
beforeEach(async () => {
  confirmed = []
  peers = localServer(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/internal/addresses/')) return Response.json({ isOwn: false })
    if (pathname.endsWith('/known')) {
      const { items } = (await request.json()) as { items: unknown[] }
      return Response.json({ items: items.map(() => []) })
    }
    const records = confirmed.map(([id, txHash]) => ({ id, status: 'confirmed', txHash, reason: null }))
    const items = records.map((record, i) => ({ version: i + 1, record }))
    if (pathname.endsWith('/changes')) return Response.json({ epoch: 1, items, more: false })
    const record = records.find(({ id }) => pathname.endsWith(id))
    return record ? Response.json(record) : Response.json({ message: 'not found' }, { status: 404 })
  })
  ledger = await openLedger({ urls: { wallet: peers.url, blockchain: peers.url } })
  bench = await makeBench(ledger, '100')
})
afterEach(async () => {
  await ledger.close()
  await peers.stop()
})

const verdict = () =>
  auditAll(ledger.store).then(
    () => 'right',
    (error: unknown) => (error instanceof AuditDifference ? error.message : error),
  )
const giveBack = async (id: string) => {
  const { status, body } = await ledger.ask<{ id: string }>('POST', `/transactions/${id}/return`, { reason: 'no' })
  if (status !== 201) throw new Error(`return: ${status} ${JSON.stringify(body)}`)
  return body.id
}
/** Approved, and ordered as the worker would. */
async function approved(deposit: string): Promise<string> {
  const id = await giveBack(deposit)
  await screen(ledger, id, true)
  await ledger.store.commit(async (tx) => {
    await tx.update(work).set({ orderedAt: new Date() }).where(eq(work.transactionId, id))
  })
  return id
}

describe('what is owed', () => {
  const owed = async () => {
    const [of] = [...(await owedOnChains(ledger.store.read)).values()]
    const { customers = 0n, suspense = 0n, underWay = 0n, amount = 0n } = of ?? {}
    return [customers, suspense, underWay, amount].map((each) => Number(each / 1_000_000n))
  }

  test('a deposit is owed until its return was paid, which is possible once it is ordered', async () => {
    const id = await rejectedDeposit(ledger, bench, '7')
    expect(await owed()).toEqual([100, 7, 0, 107])
    const failed = await approved(id)
    expect(await owed()).toEqual([100, 7, 7, 100])
    await failIt(ledger, failed, 'no')
    expect(await owed()).toEqual([100, 7, 0, 107])
    await complete(ledger, await approved(id))
    expect(await owed()).toEqual([100, 0, 0, 100])
    expect(await balanceOf(ledger, bench)).toEqual(['100', '0', '100'])
  })

  test('so is a portfolio’s, at its own addresses', async () => {
    const { id: accountId, customerId } = await ledger.account({ type: 'PORTFOLIO' })
    const own = { ...bench, accountId, customerId }
    await pay(ledger, own, '10')
    const id = await rejectedDeposit(ledger, own, '7')
    const ofPortfolio = async () => {
      const [of] = [...(await owedToPortfolios(ledger.store.read)).values()]
      return of && [of.balance, of.suspense, of.underWay, of.returning].map((each) => Number(each / 1_000_000n))
    }
    expect([await ofPortfolio(), await owed()]).toEqual([
      [10, 7, 0, 0],
      [100, 0, 0, 100],
    ])
    const back = await approved(id)
    expect([await ofPortfolio(), await owed()]).toEqual([
      [10, 7, 0, 7],
      [100, 0, 0, 100],
    ])
    await complete(ledger, back)
    expect([await ofPortfolio(), await owed()]).toEqual([
      [10, 0, 0, 0],
      [100, 0, 0, 100],
    ])
  })

  test('the wallet service’s confirmations include it, and one that it lacks is missing', async () => {
    const back = await approved(await rejectedDeposit(ledger, bench))
    await complete(ledger, back, '0xabc')
    const sides = { ledger: ledger.store, client: ledger.deps.client }
    expect(await reconcileOrders(sides)).toMatchObject({ differences: [], missing: 1 })
    expect((await Array.fromAsync(missingOrders(sides))).map(({ id }) => id)).toEqual([back])
    confirmed = [[back, '0xabc']]
    expect(await reconcileOrders(sides)).toMatchObject({ orders: 1, differences: [], missing: 0 })
  })
})

test('the overview counts a return as no withdrawal, and what is held stays', async () => {
  const figures = async () => {
    const { body } = await ledger.ask<{ totals: Record<string, { amount: string }>; series: unknown[] }>(
      'GET',
      '/api/v1/core/overview/digital-assets',
    )
    return [body.totals.deposits?.amount, body.totals.withdrawals?.amount, body.totals.balances?.amount]
  }
  await complete(ledger, await approved(await rejectedDeposit(ledger, bench)))
  expect(await figures()).toEqual(['100', '0', '100'])
  expect(await verdict()).toBe('right')
})

describe('the audit', () => {
  const change = (id: string, fields: object) =>
    ledger.store.commit(async (tx) => {
      await tx.update(transactions).set(fields).where(eq(transactions.id, id))
    })

  test('passes with returns in every state, sealed or not', async () => {
    const [one, other] = [await rejectedDeposit(ledger, bench), await rejectedDeposit(ledger, bench)]
    await failIt(ledger, await approved(one), 'no')
    await complete(ledger, await approved(one))
    const frozen = await giveBack(other)
    await screen(ledger, frozen, false)
    expect(await verdict()).toBe('right')
    await sealJournal(ledger.deps)
    await ledger.ask('POST', `/transactions/${frozen}/reject-frozen-withdrawal`, {})
    await ledger.ask('POST', `/transactions/${other}/release`, { reason: 'It is explained' })
    expect(await balanceOf(ledger, bench)).toEqual(['107', '0', '107'])
    await sealJournal(ledger.deps)
    expect(await verdict()).toBe('right')
  })

  /** A return as its rows would be, entries and balances included, of which nobody has decided. */
  async function forge(fields: object): Promise<string> {
    const real = await giveBack(await rejectedDeposit(ledger, bench))
    const [row] = await ledger.store.read.select().from(transactions).where(eq(transactions.id, real))
    const id = Bun.randomUUIDv7()
    const forged = { ...row, ...fields, id } as typeof transactions.$inferSelect
    await rejectedDeposit(ledger, bench, '50')
    await ledger.store.commit(async (tx) => {
      await tx.insert(transactions).values(forged)
      await postAll(tx, [{ kind: 'return-hold', of: forged }], forged.createdAt)
    })
    return id
  }

  test.each([
    ['without its deposit', { returns: nowhere }, 'which is no deposit of its terms'],
    ['of another amount', { amount: 8_000_000n }, 'which is no deposit of its terms'],
    ['to another address', { destinationAddress: 'mine' }, 'which is no deposit of its terms'],
    ['of no decision', {}, 'which was not decided as often as it was done'],
  ])('finds one that is forged: %s', async (_, fields, what) => {
    const returns = await rejectedDeposit(ledger, bench)
    const of = { returns, ...fields }
    const id = await forge(of)
    expect(await verdict()).toBe(`Transaction ${id} returns ${of.returns}, ${what}`)
    const auditor = createAuditor({ pause: async () => {} })
    await auditor.round(ledger.store)
    expect(auditor.difference()).toContain(id)
  })

  test('finds one of a deposit that was credited, and a second one', async () => {
    const credited = await rejectedDeposit(ledger, bench)
    const back = await giveBack(credited)
    await change(credited, { status: 'COMPLETED' })
    expect(await verdict()).toMatch(/is a DEPOSIT COMPLETED/)
    await change(credited, { status: 'FROZEN' })
    expect(await verdict()).toBe(`Transaction ${back} returns ${credited}, which is not in suspense`)
    await change(credited, { status: 'REJECTED' })
    // The database itself has one at a time.
    await expect(forge({ returns: credited })).rejects.toThrow()
    await ledger.store.commit((tx) => runRaw(tx, 'DROP INDEX transactions_return'))
    await forge({ returns: credited })
    expect(await verdict()).toMatch(new RegExp(`returns ${credited}, and so does another one$`))
  })

  test('finds two swapped returns of equal deposits', async () => {
    const [one, other] = [await rejectedDeposit(ledger, bench), await rejectedDeposit(ledger, bench)]
    const [oneBack, otherBack] = [await approved(one), await approved(other)]
    for (const back of [oneBack, otherBack]) await complete(ledger, back, '0xabc')
    await sealJournal(ledger.deps)
    expect(await verdict()).toBe('right')
    await change(oneBack, { returns: null })
    await change(otherBack, { returns: one })
    await change(oneBack, { returns: other })
    expect(await verdict()).toMatch(/sealed/)
  })

  test('finds one whose deposit is on no chain', async () => {
    const deposit = await rejectedDeposit(ledger, bench)
    const pass = async () => {
      const figures = noFigures()
      const sides = { read: ledger.store.read, client: ledger.deps.client, isProduction: true }
      for await (const _ of auditDeposits(sides, figures));
      return figures
    }
    // What makeBench has paid in is on none, either.
    await ledger.store.commit(async (tx) => {
      await tx.update(transactions).set({ type: 'TRANSFER' }).where(eq(transactions.status, 'COMPLETED'))
    })
    expect(await pass()).toEqual(noFigures())
    const back = await approved(deposit)
    await failIt(ledger, back, 'no')
    expect(await pass()).toEqual(noFigures())
    await complete(ledger, await approved(deposit))
    await expect(pass()).rejects.toThrow(`Deposit ${deposit} was returned; ethereum has no final transfer`)
  })
})
