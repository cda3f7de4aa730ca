// What moves at a portfolio's address without a deposit or a withdrawal of the ledger's is told, once it is final.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { recordFee, reverseMovements } from '../src/movements/movements'
import { addBlock } from '../src/networks/simulated/blocks'
import { confirmDeposits, recordTransfers, rollBack } from '../src/transfers/transfers'
import { accountId, bob, fresh, type TestBlockchain, testBlockchain } from './harness'

let service: TestBlockchain
beforeAll(async () => {
  service = await testBlockchain()
})
afterAll(() => service.stop())

const outside = `0x${'0d'.repeat(20)}`
const otherAccount = '01a1fe8f-0000-7000-8000-0000000000dd'

/** An address of a portfolio with 10 ETH. */
async function portfolio(on = service) {
  const address = fresh()
  await on.watch(address, 'ethereum', { isPortfolio: true })
  await on.payIn(address, '10')
  return address
}
const execute = (from: string, to: string, amount: string, fields: object = {}) =>
  service.paid({ from, to, amount, transactionData: { to, value: amount }, ...fields })
/** All that was told of a transaction, once what came after it is told as well. */
async function toldOf(txHash: string) {
  const mark = await portfolio()
  const later = await execute(mark, outside, '1')
  await until(async () => (await service.movements()).some((each) => each.txHash === later.txHash))
  return (await service.movements()).filter((each) => each.txHash === txHash)
}

describe('at a portfolio', () => {
  test('its own transaction: what leaves is told, with its order; and the ledger can ask for it', async () => {
    const address = await portfolio()
    const { id, txHash } = await execute(address, outside, '7')
    const told = await toldOf(txHash)
    expect(told).toEqual([
      {
        id: expect.any(String),
        kind: 'out',
        network: 'ethereum',
        txHash,
        place: 'out:0',
        accountId,
        address,
        counterparty: outside,
        contractAddress: null,
        amount: '7',
        decimals: 18,
        orderId: id,
        confirmedAt: expect.stringMatching(/Z$/),
      },
    ])
    const { body } = await service.internal('GET', '/movements/changes')
    expect(body.items.map(({ record }: { record: object }) => record)).toContainEqual(told[0])
    expect((await service.get('/internal/movements/changes')).status).toBe(401)
  })

  test('a withdrawal of the ledger’s is none; what comes from outside is a deposit', async () => {
    const address = await portfolio()
    const { txHash } = await service.paid({ from: address, to: outside, amount: '7' })
    const paid = await service.payIn(address, '1')
    expect(await toldOf(txHash)).toEqual([])
    expect(await toldOf(paid)).toEqual([])
    expect((await service.deposits()).filter((each) => each.address === address)).toHaveLength(2)
  })

  test('what others take from it is told, without an order', async () => {
    const address = await portfolio()
    expect(await toldOf(await service.movedBy(address, outside, '3', 'USDC'))).toMatchObject([
      { kind: 'out', place: 'out:1', amount: '3000000', decimals: 6, orderId: null, counterparty: outside },
    ])
  })

  test('by a transaction that a restore has taken away: the wallet service knows whose it is', async () => {
    const [address, sender] = [await portfolio(), await portfolio()]
    const signedFor = new Map<string, { kind: 'withdrawal' | 'execution'; payer: string }>()
    const id = Bun.randomUUIDv7()
    let isAway = true
    service.wallet.signedOrder = (txHash) => {
      const order = signedFor.get(txHash)
      if (!order) return isAway ? 503 : null
      return { id, accountId, contractAddress: null, ...order }
    }
    const paid = await service.movedBy(address, outside, '3')
    const executed = await service.movedBy(sender, address, '2')
    const stranger = await service.movedBy(address, outside, '1')
    // Until it is known nothing is told, nor credited.
    expect((await service.movements()).filter(({ txHash }) => [paid, executed].includes(txHash))).toEqual([])
    expect((await service.deposits()).filter(({ txHash }) => txHash === executed)).toEqual([])
    signedFor.set(paid, { kind: 'withdrawal', payer: address })
    signedFor.set(executed, { kind: 'execution', payer: sender })
    isAway = false
    expect(await toldOf(paid)).toEqual([])
    expect((await toldOf(executed)).map(({ place, orderId }) => [place, orderId])).toEqual([
      ['out:0', id],
      ['in:0', id],
    ])
    expect((await service.deposits()).filter(({ txHash }) => txHash === executed)).toEqual([])
    expect(await toldOf(stranger)).toMatchObject([{ kind: 'out', orderId: null }])
    service.wallet.signedOrder = () => null
  })

  test('to another account here it is told, and is that account’s deposit', async () => {
    const [address, to] = [await portfolio(), fresh()]
    await service.watch(to, 'ethereum', { accountId: otherAccount })
    const { txHash } = await execute(address, to, '7')
    expect(await toldOf(txHash)).toMatchObject([{ kind: 'out', accountId, counterparty: to }])
    expect((await service.deposits()).filter((each) => each.txHash === txHash)).toMatchObject([
      { accountId: otherAccount, address: to, sourceAddress: address, amount: '7' },
    ])
  })

  test('what its own transaction brings to it is told, and is no deposit', async () => {
    const [address, second] = [await portfolio(), await portfolio()]
    const { id, txHash } = await execute(address, second, '7')
    const told = await toldOf(txHash)
    expect(told.map(({ place, address, counterparty, orderId }) => [place, address, counterparty, orderId])).toEqual(
      expect.arrayContaining([
        ['out:0', address, second, id],
        ['in:0', second, address, id],
      ]),
    )
    expect(told).toHaveLength(2)
    expect((await service.deposits()).some((each) => each.txHash === txHash)).toBe(false)
    const { body } = await service.get(`/addresses/${second}/transactions`)
    expect(body.data[0]).toMatchObject({ transactionHash: txHash, status: 'execution', direction: 'in' })
    expect((await service.get(`/search?q=${txHash}`)).status).toBeLessThan(500)
  })

  test('what another portfolio’s transaction brings to it is a deposit', async () => {
    const [address, to] = [await portfolio(), fresh()]
    await service.watch(to, 'ethereum', { accountId: otherAccount, isPortfolio: true })
    const { txHash } = await execute(address, to, '7')
    expect(await toldOf(txHash)).toMatchObject([{ kind: 'out', accountId, counterparty: to }])
    expect((await service.deposits()).filter((each) => each.txHash === txHash)).toMatchObject([
      { accountId: otherAccount, amount: '7' },
    ])
  })

  test('a withdrawal is none of that asset alone, and of that payer alone', async () => {
    const [address, other] = [await portfolio(), await portfolio()]
    const { id } = await service.send({ from: address, to: outside, amount: '7' })
    const { txHash } = await service.reached(id, 'confirmed')
    const { store } = service.deps
    const place = {
      txHash: txHash ?? '',
      to: outside,
      amount: 5n,
      decimals: null,
      block: 1,
      blockHash: 'x',
      at: new Date(),
    }
    const usdc = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'
    await store.commit(async (tx) => {
      for (const also of [
        { from: address, contractAddress: usdc, logIndex: 4 },
        { from: other, contractAddress: null, logIndex: 6 },
      ]) {
        await recordTransfers(tx, 'ethereum', [{ ...place, ...also }], { dust: new Map() })
      }
      await confirmDeposits(tx, 'ethereum', 1, new Date())
    })
    const told = (await toldOf(txHash ?? '')).map((each) => [each.place, each.address, each.orderId])
    expect(told).toEqual([
      ['out:4', address, id],
      ['out:6', other, id],
    ])
  })

  test('of no amount, or to itself, nothing has moved', async () => {
    const address = await portfolio()
    const nothing = await execute(address, outside, '0')
    const round = await execute(address, address, '5')
    expect([await toldOf(nothing.txHash), await toldOf(round.txHash)]).toEqual([[], []])
  })
})

test('an address may turn out to be a portfolio’s: from then on it is told; it stays one', async () => {
  const address = fresh()
  await service.watch(address)
  await service.payIn(address, '10')
  const before = await execute(address, outside, '1')
  expect(await toldOf(before.txHash)).toEqual([])
  await service.watch(address, 'ethereum', { isPortfolio: true })
  const { body } = await service.internal('POST', '/addresses', { network: 'ethereum', address, accountId })
  expect(body.isPortfolio).toBe(true)
  const after = await execute(address, outside, '1')
  expect(await toldOf(after.txHash)).toHaveLength(1)
})

test('a token that nobody has registered waits, and is told when it is registered', async () => {
  const [address, contractAddress] = [await portfolio(), fresh()]
  const { store, networks } = service.deps
  const settings = networks.find('ethereum')
  if (!settings) throw new Error('no network')
  const movement = { txHash: `0x${'77'.repeat(32)}`, fromAddress: address, toAddress: outside, contractAddress }
  await store.commit((tx) => addBlock(tx, settings, [{ ...movement, amount: 42n, nonce: null }], new Date()))
  service.deps.wakes.wake('transfers', 'ethereum')
  expect(await toldOf(movement.txHash)).toEqual([])
  // What comes to it is a holding all the same.
  const came = { ...movement, txHash: `0x${'78'.repeat(32)}`, fromAddress: outside, toAddress: address }
  await store.commit((tx) => addBlock(tx, settings, [{ ...came, amount: 50n, nonce: null }], new Date()))
  service.deps.wakes.wake('transfers', 'ethereum')
  await toldOf(came.txHash)
  const held = (await service.internal('GET', `/addresses/ethereum/${address}/holdings`)).body
  expect(held).toContainEqual({ contractAddress, amount: '50', decimals: 0 })
  await service.internal('POST', '/tokens', { network: 'ethereum', contractAddress, code: 'LATER', decimals: 3 })
  expect(await toldOf(movement.txHash)).toMatchObject([{ kind: 'out', amount: '42', decimals: 3, contractAddress }])
})

test('it is told when its block is final, once, and not when a reorganisation took it before', async () => {
  const own = await testBlockchain({ workers: false })
  const address = await portfolio(own)
  const { store } = own.deps
  const at = new Date()
  const transfer = (txHash: string, block: number) => ({
    txHash,
    logIndex: 0,
    from: address,
    to: outside,
    contractAddress: null,
    amount: 5n,
    decimals: null,
    block,
    blockHash: 'x',
    at,
  })
  const record = (txHash: string, block: number) =>
    // Twice in one read, as from a node that repeats itself.
    store.commit(async (tx) => {
      const twice = [transfer(txHash, block), transfer(txHash, block)]
      await recordTransfers(tx, 'ethereum', twice, { dust: new Map() })
    })
  const confirm = (block: number) => store.commit((tx) => confirmDeposits(tx, 'ethereum', block, at))
  const told = async () => (await own.movements()).map(({ txHash }) => txHash)
  await own.deps.networks.ready()
  await record('0xgone', 7)
  await record('0xkept', 5)
  await confirm(4)
  expect(await told()).toEqual([])
  await store.commit((tx) => rollBack(tx, 'ethereum', 6, at))
  await confirm(9)
  await record('0xkept', 5)
  await confirm(9)
  expect(await told()).toEqual(['0xkept'])
  await record('0xgone', 8)
  await confirm(9)
  expect(await told()).toEqual(['0xkept', '0xgone'])
  await own.stop()
})

test('one that comes back after a reorganisation as less than was told stays reversed', async () => {
  const own = await testBlockchain({ workers: false })
  const address = await portfolio(own)
  const at = new Date()
  const moved = { txHash: '0xmoved', logIndex: 0, from: address, to: outside, contractAddress: null, decimals: null }
  const read = (amount: bigint) =>
    own.deps.store.commit(async (tx) => {
      await reverseMovements(tx, 'ethereum', 4, at)
      const found = [{ ...moved, amount, block: 5, blockHash: 'x', at }]
      await recordTransfers(tx, 'ethereum', found, { dust: new Map() })
      await confirmDeposits(tx, 'ethereum', 9, at)
    })
  await own.deps.networks.ready()
  for (const amount of [5n, 4n, 5n]) await read(amount)
  expect((await own.movements()).map(({ amount }) => amount)).toEqual(['5', '5'])
  await own.stop()
})

test('a fee is told once, and none of nothing', async () => {
  const fee = { network: 'ethereum', txHash: '0xfee', accountId: null, address: bob, decimals: 18, orderId: null }
  const record = (amount: bigint) => service.deps.store.commit((tx) => recordFee(tx, { ...fee, amount }, new Date()))
  const told = async () => (await service.movements()).filter(({ txHash }) => txHash === fee.txHash)
  await record(0n)
  expect(await told()).toEqual([])
  await record(5n)
  await record(5n)
  expect(await told()).toMatchObject([{ kind: 'fee', amount: '5', contractAddress: null }])
})

test('what is from before its address was watched is not told', async () => {
  const address = fresh()
  await service.watch(address, 'ethereum', { isPortfolio: true })
  const { store } = service.deps
  const old = { txHash: `0x${'66'.repeat(32)}`, logIndex: 0, from: address, to: bob, contractAddress: null }
  const place = { amount: 5n, decimals: null, block: 1, blockHash: 'x', at: new Date(Date.now() - 3_600_000) }
  await store.commit((tx) => recordTransfers(tx, 'ethereum', [{ ...old, ...place }], { dust: new Map() }))
  expect(await toldOf(old.txHash)).toEqual([])
})
