import { afterAll, beforeAll, expect, test } from 'bun:test'
import { idempotencyKeys } from '@bursar/store/schema'
import { type RunningLedger, runLedger } from './execution-harness'

let running: RunningLedger
beforeAll(async () => {
  running = await runLedger()
})
afterAll(() => running.close())

const { asset, sides } = {
  asset: () => ({ assetId: running.asset.id, network: running.asset.network }),
  sides: async () => [await running.funded('10'), await running.ledger.account()] as const,
}
const frozen = async (kind: 'deposit' | 'withdrawal') => {
  const account = await running.funded('10')
  const id = kind === 'deposit' ? await running.deposit(account, '1') : await running.withdraw(account, '1')
  await running.screen(id, false)
  return id
}

/** Each route that moves money, with a request that it takes. */
const requests: [string, () => Promise<[path: string, body: object]>][] = [
  [
    'withdrawal',
    async () => {
      const { id: accountId } = await running.funded('10')
      return ['/transactions/withdrawal', { ...asset(), accountId, amount: '1', destinationAddress: 'd' }]
    },
  ],
  [
    'deposit',
    async () => {
      const { id: accountId } = await running.ledger.account()
      const txHash = crypto.randomUUID()
      return ['/transactions/deposit', { ...asset(), accountId, amount: '1', sourceAddress: 's', txHash }]
    },
  ],
  [
    'transfer',
    async () => {
      const [from, to] = await sides()
      const parties = { fromAccountId: from.id, toAccountId: to.id }
      return ['/transactions/transfer', { ...parties, assetId: running.asset.id, amount: '1' }]
    },
  ],
  [
    'complete-screening',
    async () => {
      const id = await running.withdraw(await running.funded('10'), '1')
      return ['/transactions/complete-screening', { id, isApproved: false }]
    },
  ],
  ...(['deposit', 'withdrawal'] as const).flatMap((kind) =>
    (['approve', 'reject'] as const).flatMap((action) =>
      ['', '/api/v1/core'].map((prefix): (typeof requests)[number] => [
        `${prefix} ${action} ${kind}`,
        async () => [`${prefix}/transactions/${await frozen(kind)}/${action}-frozen-${kind}`, {}],
      ]),
    ),
  ),
  [
    'gateway withdrawal',
    async () => {
      const { id: accountId } = await running.funded('10')
      const body = { accountId, amount: '1', assetCode: running.asset.code, network: running.asset.network }
      return ['/api/v1/core/transactions/withdrawal', { ...body, participantId: 'p', destinationAddress: 'd' }]
    },
  ],
]

test.each(requests)('a repeat of %s under its key answers the same, for ever', async (name, request) => {
  const [path, body] = await request()
  const key = `key-${name.replaceAll(' ', '-')}`
  const first = await running.ledger.ask('POST', path, body, { 'idempotency-key': key })
  expect(first.status).toBeLessThan(300)
  const again = await running.ledger.ask('POST', path, body, { 'idempotency-key': key })
  expect([again.status, again.body]).toEqual([first.status, first.body])
  expect(again.headers.get('idempotent-replayed')).toBe('true')
  const kept = await running.ledger.store.read.select().from(idempotencyKeys)
  expect(kept.find((row) => row.key === key)).toMatchObject({ expiresAt: null })
})
