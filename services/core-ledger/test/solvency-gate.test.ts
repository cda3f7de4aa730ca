import { describe, expect, test } from 'bun:test'
import { causeOf, listShortfalls } from '../src/movements/shortfalls'
import { lastRound } from '../src/reconciliation/last-round'
import { createReconciliation } from '../src/reconciliation/reconciliation'
import { eachWithPeers, ledger, nativeBench, round, says } from './reconcile-harness'
import { openShortfall } from './shortfalls'
import { complete, make, owner, screen, shortfallOf } from './steps'

eachWithPeers()

describe('SOLVENCY_GATE', () => {
  const waits = async () =>
    (await listShortfalls(ledger.store.read)).map(({ accountId, reason }) => [accountId, reason])
  interface Line {
    event_type?: string
    status: string
    metadata: { message: string }
  }
  const lines = async () =>
    (await ledger.events())
      .map(({ data }) => data as Line)
      .filter(({ event_type }) => event_type === 'ERROR_OCCURRED')
      .map(({ status, metadata }) => [status, metadata.message.split(':')[0]])

  test('on: an asset that is short twice blocks all its withdrawals until it is covered', async () => {
    const { assetId } = await nativeBench('3')
    const reconciliation = createReconciliation({ solvencyGate: true })
    says.held.ethereum = [[null, 2_500_000n]]
    await round(reconciliation)
    expect(await waits()).toEqual([])
    for (let i = 0; i < 2; i++) await round(reconciliation)
    expect(await waits()).toEqual([
      [null, expect.stringMatching(/^2\.5 USD\d+ are held on ethereum, 3 are owed: top up 0\.5$/)],
    ])
    expect(await shortfallOf(ledger, Bun.randomUUIDv7(), assetId)).not.toBeNull()
    const health = await ledger.ask<{ status: string; waiting: string[] }>('GET', '/health')
    expect([health.status, health.body.status, health.body.waiting]).toEqual([
      200,
      'degraded',
      ['wallet or chains differ; see bun run reconcile', 'Withdrawals wait for 1 shortfall: bun run reconcile'],
    ])
    says.held.ethereum = [[null, 3_000_000n]]
    await round(reconciliation)
    expect(await waits()).toEqual([])
    expect(await lines()).toEqual([
      ['FAILURE', 'Withdrawals wait'],
      ['SUCCESS', 'Withdrawals go on'],
    ])
  })

  test('on: what stays in the deployment goes on while its asset is short', async () => {
    const { assetId, accountId: fromAccountId } = await nativeBench('3')
    const found = { accountId: null, assetId, reason: 'too little is held', since: new Date() }
    await ledger.store.commit((tx) => openShortfall(tx, found))
    const { accountId: toAccountId } = await owner(ledger)
    const { id } = await make(ledger, 'transfer', { fromAccountId, toAccountId, assetId, amount: '1' })
    await screen(ledger, id, true)
    expect(await complete(ledger, id)).toBe('done')
  })

  test('short once and then covered has no effect; nor has a simulated chain', async () => {
    await nativeBench('3')
    const reconciliation = createReconciliation({ solvencyGate: true })
    for (const amount of [2n, 3_000_000n, 2n, 3_000_000n]) {
      says.held.ethereum = [[null, amount]]
      await round(reconciliation)
    }
    says.kind = 'simulated'
    says.held.ethereum = []
    for (let i = 0; i < 3; i++) await round(reconciliation)
    expect(await waits()).toEqual([])
  })

  test.each(['movements', 'reversal'] as const)('ends no shortfall of another cause: %s', async (cause) => {
    const { assetId } = await nativeBench('3')
    const accountId = Bun.randomUUIDv7()
    const found = { accountId, assetId, reason: 'it is another’s', since: new Date() }
    await ledger.store.commit((tx) => openShortfall(tx, found, cause))
    const reconciliation = createReconciliation({ solvencyGate: true })
    for (let i = 0; i < 2; i++) await round(reconciliation)
    const own = (await listShortfalls(ledger.store.read)).filter((row) => row.accountId === accountId)
    expect(own.map(causeOf)).toEqual([cause])
    expect(await lines()).not.toContainEqual(['SUCCESS', 'Withdrawals go on'])
  })

  test('off: it is reported and blocks nothing; open shortfalls close', async () => {
    await nativeBench('3')
    const on = createReconciliation({ solvencyGate: true })
    for (let i = 0; i < 2; i++) await round(on)
    expect(await waits()).toHaveLength(1)
    const off = createReconciliation({ solvencyGate: false })
    for (let i = 0; i < 2; i++) await round(off)
    expect(await waits()).toEqual([])
    expect((await lastRound(ledger.store.read)).shortTwice).toHaveLength(1)
  })
})
