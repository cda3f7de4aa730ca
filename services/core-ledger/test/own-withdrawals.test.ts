import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { indexNext } from '../src/movements/index-keys'
import { retryWaiting } from '../src/portfolios/movements.consumer'
import { sealJournal } from '../src/seals/seal-journal'
import { freezeAgain } from '../src/withdrawals/rescreening'
import { type MovementBench, openMovementBench } from './movement-bench'
import { balanceOf, complete, failIt, make, makeAsset, pay, screen, withdrawalOf } from './steps'

let it: MovementBench
let { ledger, bench, moved, deliver, balance, shortfall, entries, waiting } = {} as MovementBench
beforeEach(async () => {
  it = await openMovementBench()
  ;({ ledger, bench, moved, deliver, balance, shortfall, entries, waiting } = it)
})
afterEach(() => it.close())

describe('a movement of a withdrawal of the ledger, reported by a restored blockchain service', () => {
  const hash = () => `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  async function approved(amount = '40') {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, amount))
    await screen(ledger, id, true)
    return id
  }
  /** Its index of hashes is written behind the journal. */
  const index = async () => {
    await sealJournal(ledger.deps)
    while ((await indexNext(ledger.store)) > 0);
  }

  test.each([true, false])(
    'is not booked again once it is COMPLETED (indexed: %p), and its fee is once',
    async (is) => {
      const coin = { ...bench, assetId: await makeAsset(ledger, { address: 'native', decimalPlaces: 18 }) }
      await pay(ledger, coin, '1')
      const txHash = hash()
      await complete(ledger, await approved(), txHash)
      if (is) await index()
      expect(await balance()).toEqual(['60', '0', '60'])
      const out = moved('out', '40000000', { txHash: txHash.toUpperCase().replace('0X', '') })
      await deliver(out)
      expect([await balance(), await waiting()]).toEqual([['60', '0', '60'], []])
      const fee = moved('fee', '400000000000000000', { txHash, contractAddress: null, decimals: 18 })
      await deliver(fee)
      await deliver({ ...fee, id: Bun.randomUUIDv7() })
      expect(await balanceOf(ledger, coin)).toEqual(['0.6', '0', '0.6'])
    },
  )

  test('waits while one that is APPROVED may be it, and ends with it', async () => {
    const id = await approved()
    const out = moved('out', '40000000')
    await deliver(out)
    expect(await waiting()).toEqual([expect.stringContaining('may be an approved withdrawal')])
    expect([await balance(), await shortfall()]).toEqual([['60', '40', '100'], null])
    await retryWaiting(ledger.deps)
    expect(await waiting()).toHaveLength(1)
    await complete(ledger, id, out.txHash)
    await retryWaiting(ledger.deps)
    expect([await balance(), await waiting()]).toEqual([['60', '0', '60'], []])
    expect(await entries()).toEqual([])
  })

  test('waits while one that was frozen again may be it: it may have been signed before', async () => {
    const id = await approved()
    const { now } = it.clock
    await ledger.store.commit((tx) => freezeAgain(tx, id, { reason: 'It is listed by now', listedAt: now }, now))
    const out = moved('out', '40000000')
    await deliver(out)
    expect([await balance(), (await waiting()).length]).toEqual([['60', '40', '100'], 1])
    await ledger.ask('POST', `/transactions/${id}/approve-frozen-withdrawal`, {})
    await complete(ledger, id, out.txHash)
    await retryWaiting(ledger.deps)
    expect([await balance(), await waiting(), await entries()]).toEqual([['60', '0', '60'], [], []])
  })

  test('is none that waits for its first review, which nobody has ordered', async () => {
    const { id } = await make(ledger, 'withdrawal', withdrawalOf(bench, '40'))
    await screen(ledger, id, false)
    await deliver(moved('out', '40000000'))
    expect([await balance(), await waiting()]).toEqual([['20', '40', '60'], []])
  })

  test('was not it when that ends differently: it is then posted', async () => {
    const id = await approved()
    await deliver(moved('out', '40000000'))
    await failIt(ledger, id, 'no')
    await retryWaiting(ledger.deps)
    expect([await balance(), await waiting()]).toEqual([['60', '0', '60'], []])
    expect(await entries()).toHaveLength(1)
  })

  test('is another one: of another account’s, amount, hash, or of an execution', async () => {
    const other = await ledger.account({ type: 'PORTFOLIO' })
    const txHash = hash()
    await pay(ledger, { ...bench, accountId: other.id }, '100')
    const { id } = await make(ledger, 'withdrawal', withdrawalOf({ ...bench, accountId: other.id }, '10'))
    await screen(ledger, id, true)
    await complete(ledger, id, txHash)
    await complete(ledger, await approved('20'), hash())
    await approved('5')
    await deliver(moved('out', '10000000', { txHash }))
    await deliver(moved('out', '20000000'))
    await deliver(moved('out', '6000000'))
    await deliver(moved('out', '5000000', { orderId: Bun.randomUUIDv7() }))
    expect([await balance(), await waiting()]).toEqual([['34', '5', '39'], []])
  })
})
