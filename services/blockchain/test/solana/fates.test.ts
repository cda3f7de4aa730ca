// What became of transactions that were signed for Solana (contracts, getSignatureFates).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { SignatureFate } from '@bursar/contracts/blockchain'
import { type Blockhash, getSignatureFromTransaction, type KeyPairSigner, lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import { type TestBlockchain, testBlockchain } from '../harness'
import { type SolanaNode, solanaNode } from './solana-node'
import { newKey, transactionBy } from './solana-wallet'

let node: SolanaNode
let service: TestBlockchain
let hot: KeyPairSigner
beforeAll(async () => {
  node = solanaNode()
  service = await testBlockchain({ env: { SOLANA_RPC_URLS: node.url } })
  hot = await newKey()
  node.fund(hot.address, 10_000_000_000n)
})
afterAll(async () => {
  await service.stop()
  await node.stop()
})

async function signed(amount = 1_000_000_000n) {
  node.svm.expireBlockhash()
  const blockhash = node.svm.latestBlockhash()
  const to = (await newKey()).address
  const transfer = getTransferSolInstruction({ source: hot, destination: to, amount: lamports(amount) })
  const transaction = await transactionBy(hot, blockhash as Blockhash, [transfer])
  const item = { network: 'solana', txHash: getSignatureFromTransaction(transaction), sender: hot.address }
  return { transaction, item: { ...item, nonce: null, blockhash: blockhash as string } }
}

async function fateOf(item: object): Promise<SignatureFate | null | undefined> {
  const { body } = await service.internal<{ items: (SignatureFate | null)[] }>('POST', '/signatures/fates', {
    items: [item],
  })
  return body.items[0]
}

test('open in a block that is not final, then final', async () => {
  const { transaction, item } = await signed()
  node.process(transaction)
  expect(await fateOf(item)).toMatchObject({ fate: 'open', reason: 'It is in a block that is not final' })
  // Its time is over, but it is in a block.
  node.passBlocks(400)
  expect((await fateOf(item))?.fate).toBe('open')
  node.finalize()
  expect(await fateOf(item)).toEqual({ txHash: item.txHash, fate: 'final', reason: null })
})

test('reverted when it failed in its block', async () => {
  const { transaction, item } = await signed(999_000_000_000n)
  node.process(transaction)
  node.finalize()
  expect(await fateOf(item)).toMatchObject({
    fate: 'reverted',
    reason: expect.stringMatching(/^the transaction failed: /),
  })
})

test('dead when its blockhash has expired at a final height, and a lifetime has passed since it was asked about', async () => {
  const { item } = await signed()
  expect(await fateOf(item)).toMatchObject({ fate: 'open', reason: 'Its blockhash may still be valid' })
  node.passBlocks(150)
  expect((await fateOf(item))?.fate).toBe('open')
  node.passBlocks(1)
  expect(await fateOf(item)).toMatchObject({ fate: 'dead' })
})

test('a node whose final blocks are behind proves nothing: it does not know the blockhash yet', async () => {
  node.lag = 40
  const { item } = await signed()
  expect((await fateOf(item))?.fate).toBe('open')
  node.lag = 0
  const fresh = await signed()
  // Asked for the first time: not valid, for all that is known here, may as well be too new.
  node.passBlocks(200)
  expect((await fateOf(fresh.item))?.fate).toBe('open')
  node.passBlocks(151)
  expect((await fateOf(fresh.item))?.fate).toBe('dead')
})

test('a blockhash that is valid, or not known, is never dead', async () => {
  const { item } = await signed()
  await fateOf(item)
  const unnamed = { ...(await signed()).item, blockhash: null }
  await fateOf(unnamed)
  const { item: valid } = await signed()
  await fateOf(valid)
  const { passBlocks } = node
  // The slots go on, and this blockhash stays the newest.
  const { expireBlockhash } = node.svm
  node.svm.expireBlockhash = () => node.svm
  passBlocks(500)
  node.svm.expireBlockhash = expireBlockhash
  expect((await fateOf(valid))?.fate).toBe('open')
  expect((await fateOf(unnamed))?.fate).toBe('open')
  expect((await fateOf(item))?.fate).toBe('dead')
})

test('a node that lacks the blocks since the signature proves nothing: one of them may hold it', async () => {
  const signedAt = new Date()
  const { item } = await signed()
  const asked = { ...item, signedAt: signedAt.toISOString() }
  await fateOf(asked)
  node.passBlocks(151)
  // Set up from a snapshot after the signature, or at about the same time.
  for (const seconds of [60, -59]) {
    node.firstAt = signedAt.getTime() / 1000 + seconds
    expect(await fateOf(asked)).toMatchObject({
      fate: 'open',
      reason: expect.stringContaining('no node has all blocks'),
    })
  }
  node.firstAt = signedAt.getTime() / 1000 - 60
  expect(await fateOf(asked)).toMatchObject({ fate: 'dead' })
  node.firstAt = 0
})

test('nor is an attempt taken for lost by it: it is asked of each node', async () => {
  const other = solanaNode()
  const own = await testBlockchain({ env: { SOLANA_RPC_URLS: `${node.url},${other.url}` } })
  const { sending } = await own.deps.networks.open('solana')
  const { item } = await signed()
  node.passBlocks(1)
  const createdAt = new Date()
  const attempt = { txHash: item.txHash, nonce: null, unsigned: '', signed: '', signers: [], expiresAt: 900, createdAt }
  node.firstAt = other.firstAt = createdAt.getTime() / 1000
  expect(await sending.lossOf(hot.address, [attempt])).toBe('none')
  other.firstAt = 0
  expect(await sending.lossOf(hot.address, [attempt])).toBe('lost')
  const late = { ...item, isHandedOver: false, expiresAt: 900, signedAt: createdAt.toISOString() }
  expect(await sending.fates([late])).toMatchObject([{ fate: 'dead' }])
  node.firstAt = 0
  await own.stop()
  await other.stop()
})
