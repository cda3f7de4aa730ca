import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { type Entry, OverdrawnError, type Posting, postAll } from '../src/ledger/post'
import { type Ledger, openLedger } from './harness'
import { type Bench, balanceOf, depositOf, make, makeAsset, makeBench, pay, withdrawalOf } from './steps'

let ledger: Ledger
beforeAll(async () => {
  ledger = await openLedger()
})
afterAll(() => ledger.close())

describe('no balance becomes negative', () => {
  const posting = ({ accountId, assetId }: Bench, type: Posting['type'], amount: bigint): Posting => {
    const id = Bun.randomUUIDv7()
    return { id, type, accountId, toAccountId: null, assetId, network: 'ethereum', amount }
  }
  const posted = (kind: Entry['kind'], of: Posting) =>
    ledger.store.commit((tx) => postAll(tx, [{ kind, of }], new Date()))

  test.each(['hold', 'release', 'settlement'] as const)('%s of one unit more than there is', async (kind) => {
    const bench = await makeBench(ledger, '10')
    await make(ledger, 'withdrawal', withdrawalOf(bench, '4'))
    const most = kind === 'hold' ? 6_000_000n : 4_000_000n
    expect(posted(kind, posting(bench, 'WITHDRAWAL', most + 1n))).rejects.toThrow(OverdrawnError)
    expect(await balanceOf(ledger, bench)).toEqual(['6', '4', '10'])
    await posted(kind, posting(bench, 'WITHDRAWAL', most))
    expect((await balanceOf(ledger, bench)).slice(0, 2)).toEqual(
      { hold: ['0', '10'], release: ['10', '0'], settlement: ['6', '0'] }[kind],
    )
  })

  test('a return of more than is in suspense, and of more than is on its way back', async () => {
    const bench = await makeBench(ledger, '0')
    const network = 'ethereum'
    await make(ledger, 'deposit', depositOf(bench, '5'))
    // Of all assets' on this network this one alone counts.
    expect(posted('return-hold', posting(bench, 'WITHDRAWAL', 5_000_001n))).rejects.toThrow(
      `suspense:${network} would hold -1`,
    )
    await posted('return-hold', posting(bench, 'WITHDRAWAL', 5_000_000n))
    for (const kind of ['return', 'return-release'] as const) {
      expect(posted(kind, posting(bench, 'WITHDRAWAL', 5_000_001n))).rejects.toThrow(
        `returning:${network} would hold -1`,
      )
    }
    expect(posted('credit', posting(bench, 'DEPOSIT', 1n))).rejects.toThrow(OverdrawnError)
    await posted('return', posting(bench, 'WITHDRAWAL', 2_000_000n))
    await posted('return-release', posting(bench, 'WITHDRAWAL', 3_000_000n))
    await posted('credit', posting(bench, 'DEPOSIT', 3_000_000n))
    expect(await balanceOf(ledger, bench)).toEqual(['3', '0', '3'])
  })

  test('credit of more than is in suspense', async () => {
    const bench = await makeBench(ledger, '0')
    await make(ledger, 'deposit', depositOf(bench, '5'))
    expect(posted('credit', posting(bench, 'DEPOSIT', 5_000_001n))).rejects.toThrow(OverdrawnError)
    expect(await balanceOf(ledger, bench)).toEqual([])
    await posted('credit', posting(bench, 'DEPOSIT', 5_000_000n))
    expect(await balanceOf(ledger, bench)).toEqual(['5', '0', '5'])
  })
})

test('a withdrawal is paid only from the balance of its own asset', async () => {
  const rich = await makeBench(ledger, '100')
  const poor = { ...rich, assetId: await makeAsset(ledger) }
  await pay(ledger, poor, '5')
  const refused = await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(poor, '5.000001'))
  expect([refused.status, refused.body.message]).toEqual([
    400,
    expect.stringMatching(/^Insufficient balance: 5 USD\d+ available, 5.000001 USD\d+ asked$/),
  ])
  const none = { ...rich, assetId: await makeAsset(ledger) }
  expect((await ledger.ask('POST', '/transactions/withdrawal', withdrawalOf(none, '1'))).status).toBe(400)
  await make(ledger, 'withdrawal', withdrawalOf(poor, '5'))
  expect(await balanceOf(ledger, poor)).toEqual(['0', '5', '5'])
  expect(await balanceOf(ledger, rich)).toEqual(['100', '0', '100'])
  await make(ledger, 'withdrawal', withdrawalOf(rich, '100'))
  expect(await balanceOf(ledger, rich)).toEqual(['0', '100', '100'])
})
