// The ledger was restored: what orders that it has forgotten took from their payers (contracts, getPaidOrders).
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { ConfirmedMovement, OrderToProve } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import { mine } from '../src/networks/simulated/mining'
import { accountId, fresh, refused, type TestBlockchain, testBlockchain } from './harness'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
})
afterAll(() => service.stop())

const outside = `0x${'0e'.repeat(20)}`

async function ask(...items: Partial<OrderToProve>[]): Promise<(ConfirmedMovement | null)[]> {
  const body = { items: items.map((item) => ({ id: Bun.randomUUIDv7(), network: null, txHash: null, ...item })) }
  const answer = await service.ask('POST', '/internal/sends/paid', body, await service.asService('core-ledger'))
  expect(answer.status).toBe(200)
  return answer.body.items
}
async function funded() {
  const address = fresh()
  await service.watch(address)
  await service.payIn(address, '10')
  return address
}
const paid = (from: string, fields: object = {}) => service.paid({ from, to: outside, amount: '7', ...fields })
/** A transaction by nobody's order that is known here, as after a restore. */
const strange = (from: string) => service.movedBy(from, outside, '3')

test('by its id alone: what left its payer, whose address it is, and when', async () => {
  const from = await funded()
  const { id, txHash } = await paid(from)
  expect(await ask({ id })).toEqual([
    {
      id: expect.any(String),
      kind: 'out',
      network: 'ethereum',
      txHash,
      place: 'out:0',
      accountId,
      address: from,
      counterparty: outside,
      contractAddress: null,
      amount: '7',
      decimals: 18,
      orderId: id,
      confirmedAt: expect.stringMatching(/Z$/),
    },
  ])
  const hot = fresh()
  await service.payIn(hot, '10')
  expect(await ask({ id: (await paid(hot)).id })).toMatchObject([{ accountId: null, address: hot }])
})

test('one that is lost here, too: by its transaction, which the wallet service has signed for it', async () => {
  const from = await funded()
  const [txHash, other] = [await strange(from), await strange(from)]
  const id = Bun.randomUUIDv7()
  service.wallet.signedOrder = (hash) =>
    hash === txHash ? { id, kind: 'withdrawal', accountId, payer: from.toUpperCase(), contractAddress: null } : null
  const item = { id, network: 'Ethereum', txHash: txHash.toUpperCase().replace('0X', '0x') }
  const [answer, ...none] = await ask(item, { ...item, txHash: other }, { id }, { ...item, id: Bun.randomUUIDv7() })
  expect(answer).toMatchObject({ txHash, orderId: id, address: from, amount: '3000000000000000000', decimals: 18 })
  expect(none).toEqual([null, null, null])
  service.wallet.signedOrder = () => 503
  expect(await ask(item)).toEqual([null])
  service.wallet.signedOrder = () => ({ id, kind: 'execution', accountId, payer: from, contractAddress: null })
  expect(await ask(item)).toEqual([null])
  service.wallet.signedOrder = () => null
})

test('of tokens: that token alone, with the decimals that it has here', async () => {
  const from = await funded()
  const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
  await service.payIn(from, '9', 'USDC')
  const txHash = await service.movedBy(from, outside, '2', 'USDC')
  const id = Bun.randomUUIDv7()
  const signed = { id, kind: 'withdrawal', accountId, payer: from } as const
  service.wallet.signedOrder = () => ({ ...signed, contractAddress: usdc })
  const item = { id, network: 'ethereum', txHash }
  expect(await ask(item)).toMatchObject([{ place: 'out:1', contractAddress: usdc, amount: '2000000', decimals: 6 }])
  service.wallet.signedOrder = () => ({ ...signed, contractAddress: null })
  expect(await ask(item)).toEqual([null])
  service.wallet.signedOrder = () => ({ ...signed, payer: outside, contractAddress: usdc })
  expect(await ask(item)).toEqual([null])
  service.wallet.signedOrder = () => null
})

test('what goes back to its payer has not left', async () => {
  const from = await funded()
  const { id } = await paid(from, { to: from })
  expect(await ask({ id })).toEqual([null])
})

test('nothing for an execution, for what is not final or unknown, nor for the transaction of another order', async () => {
  const from = await funded()
  const execution = await paid(from, { transactionData: { to: outside, value: '7' } })
  const [one, other] = [await paid(from), await paid(from)]
  const open = await service.send({ from, amount: '999000000000000000000' })
  await service.reached(open.id, 'failed')
  expect(
    await ask(
      { id: execution.id },
      { id: execution.id, network: 'ethereum', txHash: execution.txHash },
      { id: open.id },
      { id: open.id, network: 'ethereum', txHash: one.txHash },
      {},
      { network: 'ethereum', txHash: `0x${'9'.repeat(64)}` },
      { network: 'no/net', txHash: one.txHash },
    ),
  ).toEqual(Array(7).fill(null))
  // Its own record is what counts here.
  expect(await ask({ id: one.id, network: 'ethereum', txHash: other.txHash })).toMatchObject([{ txHash: one.txHash }])
})

test('nothing before it is final', async () => {
  const own = await testBlockchain({ env: { SIMULATED_CONFIRMATIONS: '2' }, workers: false })
  const from = fresh()
  await own.payIn(from, '10')
  const txHash = await own.movedBy(from, outside, '3')
  const id = Bun.randomUUIDv7()
  own.wallet.signedOrder = () => ({ id, kind: 'withdrawal', accountId, payer: from, contractAddress: null })
  const asLedger = await own.asService('core-ledger')
  const items = [{ id, network: 'ethereum', txHash }]
  const paidNow = async () => (await own.ask('POST', '/internal/sends/paid', { items }, asLedger)).body.items
  expect(await paidNow()).toEqual([null])
  await mine(own.deps)
  expect(await paidNow()).toMatchObject([{ txHash, accountId: null }])
  await own.stop()
})

test('in the place, and under the id, that it was told with as a movement', async () => {
  const from = fresh()
  await service.watch(from, 'ethereum', { isPortfolio: true })
  await service.payIn(from, '10')
  const txHash = await strange(from)
  const told = await until(async () => (await service.movements()).find((each) => each.txHash === txHash))
  expect(told).toMatchObject({ place: 'out:0', orderId: null })
  const id = Bun.randomUUIDv7()
  service.wallet.signedOrder = () => ({ id, kind: 'withdrawal', accountId, payer: from, contractAddress: null })
  expect(await ask({ id, network: 'ethereum', txHash })).toMatchObject([
    { id: told?.id, place: 'out:0', orderId: id, amount: told?.amount },
  ])
  service.wallet.signedOrder = () => null
})

test('401 for callers other than the ledger; 400 for what is no question', async () => {
  const body = { items: [{ id: Bun.randomUUIDv7(), network: null, txHash: null }] }
  for (const headers of [await service.asService('wallet'), await service.as({}), {}]) {
    expect(refused(await service.ask('POST', '/internal/sends/paid', body, headers), 401).code).toBe('UNAUTHORIZED')
  }
  const asLedger = await service.asService('core-ledger')
  const bad = { items: [{ id: 'x', network: 5, txHash: null }] }
  expect((await service.ask('POST', '/internal/sends/paid', bad, asLedger)).status).toBe(400)
})
