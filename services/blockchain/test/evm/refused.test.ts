// Nodes refuse for good what was signed: nothing that follows leaves its sender, and whoever operates reads why.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { encodeFunctionData, erc20Abi, type Hex, parseTransaction } from 'viem'
import { anvilBinary, hotWallet } from './anvil'
import { behindLiar, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('a transaction that nodes refuse', () => {
  const ends: (() => Promise<unknown>)[] = []
  const attempt = {
    signers: [hotWallet.address],
    nonce: 0,
    expiresAt: null,
    txHash: '',
    signed: '',
    createdAt: new Date(),
  }
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })

  test('is named with their reason, in the list of open sends and in health, until they take it', async () => {
    const { service, lies, settled } = await behindLiar(ends, {
      lie: ({ method }) => (method === 'eth_sendRawTransaction' ? new Error('exceeds block gas limit') : undefined),
    })
    const health = async () => (await service.get('/health')).body
    expect((await health()).waiting).toBeUndefined()
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    const { txHash } = await service.reached(id, 'broadcast')
    const next = await service.send({ from: hotWallet.address, to: fresh(), amount: '8' })
    const reason = `A node of ethereum refuses the transaction ${txHash}: exceeds block gas limit`
    const errorOf = async (of: string) => (await service.get(`/sends/${of}`)).body.lastError
    await until(async () => (await errorOf(id)) === reason && (await errorOf(next.id)) === reason)
    const told = await until(async () => {
      const found = await health()
      return found.waiting && found
    })
    expect(told.status).toBe('degraded')
    expect(told.waiting[0]).toEndWith(`(GET /v1/sends): ${reason}`)
    lies.now = () => undefined
    await settled(id)
    await settled(next.id)
    await until(async () => (await health()).waiting === undefined)
  })

  test('for its gas limit is signed again under its nonce with enough, and is sent once', async () => {
    const { node, service, lies, settled } = await behindLiar(ends, {
      lie: ({ method }) => (method === 'eth_estimateGas' ? '0x2710' : undefined),
      env: { STUCK_AFTER_SECONDS: '1' },
    })
    const to = fresh()
    const { id } = await service.send({ from: hotWallet.address, to, amount: '7' })
    await service.reached(id, 'broadcast')
    await until(async () => (await service.get('/health')).body.waiting)
    lies.now = () => undefined
    const next = await service.send({ from: hotWallet.address, to, amount: '8' })
    await settled(id)
    await settled(next.id)
    expect(await node.client.getBalance({ address: to })).toBe(15n)
    expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(2)
  })

  test('for the gas limit that its execution asks for keeps that one', async () => {
    const { service, lies } = await behindLiar(ends, {
      lie: ({ method }) => (method === 'eth_estimateGas' ? '0x2710' : undefined),
      env: { STUCK_AFTER_SECONDS: '1' },
    })
    const to = fresh()
    const transactionData = { to, value: '7', gas: '12000' }
    const { id } = await service.send({ from: hotWallet.address, to, amount: '7', transactionData })
    await service.reached(id, 'broadcast')
    lies.now = () => undefined
    await until(() => service.wallet.signed.length > 1)
    const limits = service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).gas)
    expect(new Set(limits)).toEqual(new Set([12_000n]))
  })

  test('for the gas that a node estimated for an execution gets enough under its nonce', async () => {
    const { service, lies, token, settled } = await behindLiar(ends, {
      lie: ({ method }) => (method === 'eth_estimateGas' ? '0x2710' : undefined),
      env: { STUCK_AFTER_SECONDS: '1' },
    })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [fresh(), 7n] })
    const fields = { from: hotWallet.address, to: token, amount: '0', transactionData: { to: token, data, gas: null } }
    const { id } = await service.send(fields)
    await service.reached(id, 'broadcast')
    await until(async () => (await service.get('/health')).body.waiting)
    lies.now = () => undefined
    await settled(id)
    expect(new Set(service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0))).toEqual(
      new Set([0]),
    )
  })

  test('is not made of an execution whose gas a node cannot estimate for want of coins that have come since', async () => {
    const { service, lies, token, settled } = await behindLiar(ends, {
      lie: ({ method }) =>
        method === 'eth_estimateGas' ? new Error('insufficient funds for gas * price + value') : undefined,
    })
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [fresh(), 7n] })
    const { id } = await service.send({
      from: hotWallet.address,
      to: token,
      amount: '0',
      transactionData: { to: token, data },
    })
    await until(async () =>
      (await service.get(`/sends/${id}`)).body.lastError?.endsWith(
        'has not been estimated: the node had too few coins there',
      ),
    )
    expect(service.wallet.signed).toEqual([])
    lies.now = () => undefined
    await settled(id)
  })

  test.each([
    ['0x1000000', 2n ** 24n],
    // A node that lies, or has another rule: with that much, none would ever take it.
    ['0x1000001', 25_200n],
  ])('gets no more gas than nodes take, whatever the estimate: %s', async (estimate, gas) => {
    const { service, lies } = await behindLiar(ends)
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    await service.reached(id, 'broadcast')
    lies.now = ({ method }) => (method === 'eth_estimateGas' ? estimate : undefined)
    const { sending } = await service.deps.networks.open('ethereum')
    const [{ unsigned } = { unsigned: '' }] = service.wallet.signed
    const draft = await sending.dearer({ ...attempt, unsigned })
    expect(parseTransaction(draft?.unsigned as Hex).gas).toBe(gas)
  })

  test('though its fee is far above the usual one is not given an ever higher one', async () => {
    const { node, service } = await behindLiar(ends)
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '7' })
    await service.reached(id, 'broadcast')
    const { sending } = await service.deps.networks.open('ethereum')
    const feesOf = (unsigned: string) => parseTransaction(unsigned as Hex).maxFeePerGas ?? 0n
    const first = service.wallet.signed[0]?.unsigned ?? ''
    let [unsigned, times] = [first, 0]
    for (; times < 100; times++) {
      const draft = await sending.dearer({ ...attempt, unsigned })
      if (!draft) break
      unsigned = draft.unsigned
    }
    expect(times).toBeGreaterThan(5)
    expect(Number(feesOf(unsigned))).toBeLessThan(5 * Number(feesOf(first)))
    // The usual one is higher by now.
    const { baseFeePerGas } = await node.client.getBlock()
    await node.client.setNextBlockBaseFeePerGas({ baseFeePerGas: (baseFeePerGas ?? 0n) * 4n })
    await node.mine()
    expect(await sending.dearer({ ...attempt, unsigned })).not.toBeNull()
  })
})
