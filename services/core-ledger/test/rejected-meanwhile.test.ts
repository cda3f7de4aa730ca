// What a rejection has read before its commit may have changed by then.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { AppError } from '@bursar/http'
import type { Store } from '@bursar/store'
import { reviewActions } from '../src/approvals/review-actions'
import { toTransaction } from '../src/movements/read-transactions'
import { freezeAgain } from '../src/withdrawals/rescreening'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, getTransaction, make, makeBench, screen, withdrawalOf } from './steps'

let ledger: Ledger
let bench: Bench
beforeAll(async () => {
  ledger = await openLedger()
  bench = await makeBench(ledger, '100')
})
afterAll(() => ledger.close())

/** Rejects a withdrawal; just before the commit something else happens. */
async function rejectAfter(id: string, happens: () => Promise<unknown>): Promise<unknown> {
  const { deps } = ledger
  const commit: Store['commit'] = async (...given) => {
    await happens()
    return await deps.store.commit(...given)
  }
  const shown = { approved: toTransaction, rejected: toTransaction }
  const { reject } = reviewActions({ ...deps, store: { ...deps.store, commit } }, shown)
  const request = new Request('http://localhost/reject', { method: 'POST' })
  try {
    const body = { reason: 'Sanctioned' }
    return await reject('withdrawal')({ request, set: { headers: {} }, params: { id }, body })
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

test('a withdrawal that is frozen again only then may be paid: the wallet service has not refused it, and it is not rejected', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '40'))
  await screen(ledger, id, true)
  const refusal = { reason: 'It is listed by now', listedAt: new Date() }
  const outcome = await rejectAfter(id, () =>
    ledger.store.commit((tx) => freezeAgain(tx, id, refusal, ledger.deps.now())),
  )
  expect(outcome).toMatchObject({ status: 409, code: 'WITHDRAWAL_KNOWN' })
  expect((await getTransaction(ledger, id)).status).toBe('FROZEN')
  expect(await balanceOf(ledger, bench)).toEqual(['60', '40', '100'])
  await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {})
  expect(await rejectAfter(id, async () => {})).toMatchObject({ status: 400, code: 'ILLEGAL_MOVE' })
})

test('a withdrawal that its first screening freezes only then was never ordered: it is rejected', async () => {
  const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '20'))
  await rejectAfter(id, () => screen(ledger, id, false))
  expect((await getTransaction(ledger, id)).status).toBe('REJECTED')
})
