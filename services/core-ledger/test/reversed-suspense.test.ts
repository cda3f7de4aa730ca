// A deposit that its chain has taken back before it was credited: nobody is owed it, and nobody holds it.
import { describe, expect, test } from 'bun:test'
import { returnDeposit } from '../src/approvals/return-deposit'
import { owedOnChains } from '../src/reconciliation/owed'
import { bench, deliver, eachWithChain, ledger, recorded, reverse } from './deposit-harness'
import { complete, screen } from './steps'

eachWithChain()

const again = '2026-01-03T00:00:00.000Z'
/** Of the asset: in suspense, and in all. */
const owed = async () =>
  [...(await owedOnChains(ledger.store.read)).values()].map(({ suspense, amount }) => [suspense, amount])

/** A deposit in the status, which its chain has taken back. */
async function reversed(status: string): Promise<string> {
  await deliver()
  const [{ id } = { id: '' }] = await recorded()
  if (status !== 'PENDING') await screen(ledger, id, status === 'APPROVED')
  if (status === 'REJECTED') await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
  expect(await owed()).toEqual([[1_500_000n, 1_500_000n]])
  await reverse()
  return id
}

describe('a deposit in suspense that its chain has taken back', () => {
  test.each(['PENDING', 'FROZEN', 'APPROVED', 'REJECTED'])(
    'is owed no more while it is %s, and is again with its chain',
    async (status) => {
      const id = await reversed(status)
      expect(await owed()).toEqual([[0n, 0n]])
      await deliver({ confirmedAt: again })
      expect(await owed()).toEqual([[1_500_000n, 1_500_000n]])
      if (status !== 'APPROVED') return
      await complete(ledger, id)
      expect(await owed()).toEqual([[0n, 1_500_000n]])
      // What was credited is owed whatever its chain says.
      await reverse({ reversedAt: '2026-01-04T00:00:00.000Z' })
      expect(await owed()).toEqual([[0n, 1_500_000n]])
    },
  )

  test('counts while its return may be paid, and is not subtracted once more when it was', async () => {
    await deliver()
    const [{ id } = { id: '' }] = await recorded()
    await screen(ledger, id, false)
    await ledger.ask('POST', `/transactions/${id}/reject-frozen-deposit`)
    const approval = { persons: 'one', actor: null, note: 'so' } as const
    const made = await ledger.store.commit((tx) => returnDeposit(tx, id, approval, new Date()))
    await screen(ledger, made.transaction.id, true)
    await reverse()
    expect(await owed()).toEqual([[1_500_000n, 1_500_000n]])
    await complete(ledger, made.transaction.id, `0x${'cd'.repeat(32)}`)
    expect(await owed()).toEqual([[0n, 0n]])
  })

  test('is not subtracted twice where it came to a portfolio', async () => {
    const { id: accountId } = await ledger.account({ type: 'PORTFOLIO' })
    expect(accountId).not.toBe(bench.accountId)
    await deliver({ accountId })
    await reverse({ accountId })
    expect(await owed()).toEqual([[0n, 0n]])
  })
})
