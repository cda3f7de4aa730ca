// The ledger frees what an execution might have taken once it is told that it has all that it did.
import { afterEach, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { until } from '@bursar/testing'
import { untoldFees } from '../src/movements/untold-fees.table'
import { addBlock } from '../src/networks/simulated/blocks'
import { sends } from '../src/sends/sends.table'
import { scanBlocks } from '../src/transfers/scan-blocks'
import { confirmDeposits, recordTransfers } from '../src/transfers/transfers'
import { type TestBlockchain, testBlockchain } from './harness'

const address = `0x${'0c'.repeat(20)}`
const outside = `0x${'0d'.repeat(20)}`
const unknown = `0x${'0e'.repeat(20)}`
let service: TestBlockchain
afterEach(() => service.stop())

async function told(txHash: string) {
  const body = { items: [{ network: 'Ethereum', txHash }] }
  const answer = await service.ask('POST', '/internal/movements/told', body, await service.asService('core-ledger'))
  return answer.body.items[0]
}
const nothing = { places: [], unknownTokens: [], isWhole: false }

/** A block with one transaction of the portfolio's, which is read when the test says so. */
async function unread(contractAddress: string | null = null) {
  service = await testBlockchain({ workers: false })
  const { store, networks } = service.deps
  await service.watch(address, 'ethereum', { isPortfolio: true })
  const chain = await networks.open('ethereum')
  const txHash = `0x${crypto.randomUUID().replaceAll('-', '').repeat(2)}`
  const read = async () => {
    if (chain.source.kind !== 'blocks') throw new Error('It is read by accounts')
    while (await scanBlocks(service.deps, chain, chain.source));
  }
  const mined = { txHash, fromAddress: address, toAddress: outside, contractAddress, amount: 7n, nonce: null }
  await store.commit((tx) => addBlock(tx, chain.settings, [mined], new Date()))
  return { txHash, read, store }
}

test('not before its block was read, though it is final; nor for what the chain does not know', async () => {
  const { txHash, read } = await unread()
  expect(await told(txHash)).toEqual(nothing)
  await read()
  expect(await told(txHash)).toEqual({ places: ['out:0'], unknownTokens: [], isWhole: true })
  expect((await told(`0x${txHash.slice(2).toUpperCase()}`)).isWhole).toBe(true)
  expect(await told(`0x${'ef'.repeat(32)}`)).toEqual(nothing)
  expect(await told('no hash')).toEqual(nothing)
})

test('not while one of its movements is still to be told', async () => {
  const { txHash, read, store } = await unread()
  await read()
  const at = new Date()
  const second = { txHash, from: address, to: outside, contractAddress: null, amount: 5n, decimals: null, at }
  await store.commit((tx) =>
    recordTransfers(tx, 'ethereum', [{ ...second, logIndex: 4, block: 900, blockHash: 'x' }], { dust: new Map() }),
  )
  expect(await told(txHash)).toEqual({ places: ['out:0'], unknownTokens: [], isWhole: false })
  await store.commit((tx) => confirmDeposits(tx, 'ethereum', 900, at))
  expect(await told(txHash)).toMatchObject({ places: ['out:0', 'out:4'], isWhole: true })
})

test('what waits for its token is named, for the ledger may know it', async () => {
  const { txHash, read } = await unread(unknown)
  await read()
  expect(await told(txHash)).toEqual({
    places: [],
    unknownTokens: [expect.stringMatching(new RegExp(unknown, 'i'))],
    isWhole: true,
  })
})

test('not while its fee is still to be told, for a restore has taken its send away', async () => {
  const { txHash, read, store } = await unread()
  await read()
  const place = { network: 'ethereum', txHash }
  await store.commit(async (tx) => {
    await tx.insert(untoldFees).values({ ...place, orderId: Bun.randomUUIDv7(), block: 1 })
  })
  expect((await told(txHash)).isWhole).toBe(false)
  await store.commit(async (tx) => {
    await tx.delete(untoldFees)
  })
  expect((await told(txHash)).isWhole).toBe(true)
})

test('not while its send has not ended, which notes its fee', async () => {
  service = await testBlockchain()
  const { store } = service.deps
  await service.watch(address, 'ethereum', { isPortfolio: true })
  await service.payIn(address, '10')
  const transactionData = { to: outside, value: '1' }
  const { id } = await service.send({ from: address, to: outside, amount: '1', transactionData })
  const { txHash } = await service.reached(id, 'confirmed')
  await until(async () => (await told(txHash ?? '')).isWhole)
  await service.halt()
  await store.commit(async (tx) => {
    await tx.update(sends).set({ status: 'broadcast' }).where(eq(sends.id, id))
  })
  expect((await told(txHash ?? '')).isWhole).toBe(false)
})

test('401 for callers other than the ledger', async () => {
  service = await testBlockchain({ workers: false })
  const body = { items: [{ network: 'ethereum', txHash: '0x1' }] }
  for (const headers of [await service.asService('wallet'), await service.as({}), {}]) {
    expect((await service.ask('POST', '/internal/movements/told', body, headers)).status).toBe(401)
  }
})
