import { expect, test } from 'bun:test'
import type { Attempt } from '../network'
import type { SolanaRpc } from './solana-rpc'
import { withFees } from './solana-sending'

const signature = 's'
const attempt = { txHash: signature } as Attempt
const record = {
  slot: 1n,
  blockTime: null,
  transaction: { signatures: [signature], message: { accountKeys: ['payer', 'other'] } },
  meta: { err: null, fee: 5000n, preBalances: [], postBalances: [] },
}
const rpc = (found: object | null) => ({ getTransaction: () => ({ send: async () => found }) }) as unknown as SolanaRpc

test('what is final has its fee, whatever became of it; what is not is asked nothing of', async () => {
  const failed = { is: 'reverted', reason: 'x' } as const
  const fee = { payer: 'payer', amount: 5000n }
  expect(await withFees(rpc(record), [attempt, attempt], [{ is: 'confirmed' }, failed])).toEqual([
    { is: 'confirmed', fee },
    { ...failed, fee },
  ])
  const early = [{ is: 'absent' }, { is: 'included' }] as const
  expect(await withFees(rpc(null), [attempt, attempt], early)).toEqual([...early])
})

test('it is not final before its fee is known', async () => {
  expect(await withFees(rpc(null), [attempt], [{ is: 'confirmed' }])).toEqual([{ is: 'included' }])
  expect(await withFees(rpc({ ...record, meta: null }), [attempt], [{ is: 'confirmed' }])).toEqual([{ is: 'included' }])
})
