// Several nodes: what one of them says of a transaction, and another denies, is neither final nor dead nor passed over.
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type Blockhash, getSignatureFromTransaction, type KeyPairSigner, lamports } from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import type { Chain } from '../../src/networks/network'
import { type TestBlockchain, testBlockchain } from '../harness'
import { type SolanaNode, solanaNode } from './solana-node'
import { newKey, transactionBy } from './solana-wallet'

let first: SolanaNode
let second: SolanaNode
let service: TestBlockchain
let chain: Chain
let payer: KeyPairSigner
let to: string
beforeEach(async () => {
  first = solanaNode()
  second = solanaNode()
  service = await testBlockchain({ env: { SOLANA_RPC_URLS: `${first.url},${second.url}` }, workers: false })
  chain = await service.deps.networks.open('solana')
  payer = await newKey()
  to = (await newKey()).address
  first.fund(payer.address, 10_000_000_000n)
})
afterEach(async () => {
  await service.stop()
  await first.stop()
  await second.stop()
})

const since = new Date()
const health = async () => (await service.get('/health')).body.networks.solana

async function signed() {
  first.svm.expireBlockhash()
  const blockhash = first.svm.latestBlockhash() as Blockhash
  const transfer = getTransferSolInstruction({
    source: payer,
    destination: to as KeyPairSigner['address'],
    amount: lamports(1_000_000_000n),
  })
  const transaction = await transactionBy(payer, blockhash, [transfer])
  const txHash = getSignatureFromTransaction(transaction) as string
  const attempt = { txHash, nonce: null, unsigned: '', signed: '', signers: [], expiresAt: 1100, createdAt: since }
  const item = {
    network: 'solana',
    txHash,
    sender: payer.address as string,
    nonce: null,
    blockhash: blockhash as string,
  }
  return {
    transaction,
    attempt,
    item: { ...item, isHandedOver: false, expiresAt: 1100, signedAt: since.toISOString() },
  }
}
/** A payment that the first node has in a final block. */
async function paid() {
  const made = await signed()
  first.process(made.transaction)
  first.finalize()
  return made
}
/** The second node has these transactions of the first, too. */
const alsoHas = (...hashes: string[]) => {
  for (const entry of first.processed) if (hashes.includes(entry.signature)) second.processed.push({ ...entry })
}
const outcomeOf = async ({ attempt }: Awaited<ReturnType<typeof signed>>) =>
  (await chain.sending.outcomes([attempt]))[0]?.is

test('a transaction is final once no node denies it that is as far and has its block', async () => {
  const made = await paid()
  const { txHash } = made.attempt
  // The second one is behind.
  expect(await outcomeOf(made)).toBe('confirmed')
  second.passBlocks(1)
  expect(await outcomeOf(made)).toBe('included')
  expect(await health()).toBe(`node 2 has another outcome of ${txHash} than the others`)
  expect(await chain.sending.fates([made.item])).toMatchObject([{ fate: 'open' }])
  expect(await chain.find(txHash)).toMatchObject({ status: 'pending' })
  // It was set up later.
  second.firstAt = 1
  second.firstSlot = 1002
  expect(await outcomeOf(made)).toBe('confirmed')
  expect(await health()).toBe('ok')
  second.firstSlot = 1001
  expect(await outcomeOf(made)).toBe('included')
  alsoHas(txHash)
  expect(await outcomeOf(made)).toBe('confirmed')
  expect(await health()).toBe('ok')
  expect(await chain.sending.fates([made.item])).toMatchObject([{ fate: 'final' }])
  expect(await chain.find(txHash)).toMatchObject({ status: 'confirmed' })
  for (const entry of second.processed) entry.err = 'failed'
  expect(await outcomeOf(made)).toBe('included')
  for (const entry of second.processed) Object.assign(entry, { err: null, isFinal: false })
  expect(await outcomeOf(made)).toBe('included')
  await second.stop()
  expect(await outcomeOf(made)).toBe('confirmed')
})

test('an attempt is neither lost nor dead while a node that answers has it, or does not know that its time is over', async () => {
  const made = await signed()
  const lossOf = () => chain.sending.lossOf(payer.address, [made.attempt])
  const fateOf = async () => (await chain.sending.fates([made.item]))[0]?.fate
  first.passBlocks(200)
  expect([await lossOf(), await fateOf()]).toEqual(['none', 'open'])
  // Of both its blockhash has been followed by others.
  second.passBlocks(100)
  second.passBlocks(100)
  expect([await lossOf(), await fateOf()]).toEqual(['lost', 'dead'])
  second.processed.push({
    signature: made.attempt.txHash,
    slot: 1050,
    isFinal: false,
    err: null,
    keys: [to],
    record: {},
  })
  expect([await lossOf(), await fateOf()]).toEqual(['none', 'open'])
  await second.stop()
  expect([await lossOf(), await fateOf()]).toEqual(['lost', 'dead'])
  await first.stop()
  await expect(lossOf()).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  await expect(chain.sending.fates([made.item])).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
})

test('what a node lacks between two looks is read from another one, and waited for while that is away', async () => {
  const made = [await paid(), await paid(), await paid()]
  const [earlier = '', missed = '', newest = ''] = made.map(({ attempt }) => attempt.txHash)
  const { source } = chain
  if (source.kind !== 'accounts') throw new Error('Solana is read by accounts')
  const read = async (after: string | null = null) => {
    const { transfers, last } = await source.read(to, after, since)
    return [transfers.flatMap(({ txHash, side }) => (side === 'in' ? txHash : [])), last]
  }
  // The first one was set up in between.
  alsoHas(earlier, missed, newest)
  first.processed.splice(0, 2)
  first.firstAt = since.getTime() / 1000 + 60
  first.firstSlot = 1003
  second.passBlocks(3)
  expect(await read(earlier)).toEqual([[missed, newest], newest])
  expect(await read()).toEqual([[earlier, missed, newest], newest])
  // It has everything after one that it knows.
  expect(await read(newest)).toEqual([[], null])
  // Neither has all blocks since the beginning: the longest list counts.
  second.firstAt = since.getTime() / 1000 + 60
  expect(await read()).toEqual([[earlier, missed, newest], newest])
  await second.stop()
  await expect(read(earlier)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' })
  // It has had all blocks since the address was given out.
  first.firstAt = since.getTime() / 1000 - 61
  expect(await read()).toEqual([[newest], newest])
})

test('a deposit that another node denies is not credited', async () => {
  const { attempt } = await paid()
  await service.watch(to, 'solana')
  const { source } = chain
  if (source.kind !== 'accounts') throw new Error('Solana is read by accounts')
  second.passBlocks(1)
  const why = `solana: A node has another outcome of ${attempt.txHash} than the others`
  await expect(source.read(to, null, since)).rejects.toMatchObject({ code: 'UPSTREAM_ERROR', message: why })
  alsoHas(attempt.txHash)
  const found = await source.read(to, null, since)
  expect(found.transfers).toHaveLength(2)
  // One that is away is not asked, where another one has everything.
  await first.stop()
  expect((await source.read(to, null, since)).last).toBe(found.last)
})

test('what this service does not know the end of is dead a lifetime after the node that was furthest when it was asked', async () => {
  const { item } = await signed()
  const fateOf = async () => (await chain.sending.fates([{ ...item, expiresAt: null }]))[0]?.fate
  // The one that is furthest answers last.
  const firstIsDone = Promise.withResolvers<void>()
  first.before = async (method) => {
    if (method === 'getSignatureStatuses') firstIsDone.resolve()
  }
  second.before = (method, config) =>
    method === 'getBlockHeight' && config?.commitment !== 'processed' ? firstIsDone.promise : undefined
  second.passBlocks(5001)
  expect(await fateOf()).toBe('open')
  for (const node of [first, second]) node.passBlocks(200)
  expect(await fateOf()).toBe('open')
  first.passBlocks(4951)
  expect(await fateOf()).toBe('open')
  first.passBlocks(1)
  expect(await fateOf()).toBe('dead')
})
