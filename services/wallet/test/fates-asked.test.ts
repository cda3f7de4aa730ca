import { expect, test } from 'bun:test'
import type { SignedBefore } from '@bursar/contracts/blockchain'
import { judge } from '../src/orders/fates'

test('where blockhashes expire it is said since when a block may hold a signature; nonces need no time', async () => {
  const asked: SignedBefore[] = []
  const askFate = async (signature: SignedBefore) => {
    asked.push(signature)
    return null
  }
  const signedAt = new Date('2026-01-02T03:04:05.678Z')
  const row = { orderId: 'o', number: 0, network: 'solana', sender: 's', txHash: 'h', signedAt }
  await judge(askFate, [
    { ...row, nonce: null, blockhash: 'b' },
    { ...row, nonce: 7, blockhash: null },
  ])
  expect(asked.map((each) => each.signedAt)).toEqual(['2026-01-02T03:04:05.678Z', undefined])
})
