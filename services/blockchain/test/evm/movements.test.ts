// What sends cost on an EVM network, and what moves at a portfolio's address there.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type Abi, encodeFunctionData, type Hex } from 'viem'
import { accountId, type TestBlockchain } from '../harness'
import { anvilBinary, bank, customer, hotWallet } from './anvil'
import { confirmations, fresh, type OnAnvil, onAnvil } from './on-anvil'
import artifact from './test-token.json'

describe.skipIf(!anvilBinary)('on anvil', () => {
  let scene: OnAnvil
  let node: OnAnvil['node']
  let service: TestBlockchain
  let token: Hex
  beforeAll(async () => {
    scene = await onAnvil()
    ;({ node, service, token } = scene)
    await node.write(token, 'transfer', [customer.address, 50_000_000n])
    await node.mine()
  })
  afterAll(() => scene.stop())

  const order = (fields: object = {}) => ({ from: hotWallet.address, to: fresh(), amount: '1000', ...fields })
  const settled = (id: string, status: 'confirmed' | 'failed') => scene.settled(id, status)

  describe('what they cost is told once', () => {
    const feeOf = (txHash: string) =>
      until(async () => (await service.movements()).find((each) => each.txHash === txHash && each.kind === 'fee'))
    const paidFor = async (txHash: string) => {
      const { gasUsed, effectiveGasPrice } = await node.client.getTransactionReceipt({ hash: txHash as Hex })
      return String(gasUsed * effectiveGasPrice)
    }

    test('by the hot wallet, which is no account’s', async () => {
      const { id } = await service.send(order())
      const { txHash } = await settled(id, 'confirmed')
      expect(await feeOf(txHash)).toEqual({
        id: expect.any(String),
        kind: 'fee',
        network: 'ethereum',
        txHash,
        place: 'fee',
        accountId: null,
        address: hotWallet.address,
        counterparty: null,
        contractAddress: null,
        amount: await paidFor(txHash),
        decimals: 18,
        orderId: id,
        confirmedAt: expect.stringMatching(/Z$/),
      })
      expect((await service.movements()).filter((each) => each.txHash === txHash)).toHaveLength(1)
    })

    test('of one that did nothing, by an account’s own address', async () => {
      const to = fresh()
      await service.watch(customer.address.toLowerCase())
      const { id } = await service.send(
        order({ from: customer.address, to, contractAddress: token, amount: '1', decimals: 6 }),
      )
      await service.reached(id, 'broadcast')
      const data = encodeFunctionData({ abi: artifact.abi as Abi, functionName: 'setBlocked', args: [to, true] })
      const first = { maxPriorityFeePerGas: 50_000_000_000n, maxFeePerGas: 100_000_000_000n, gas: 100_000n }
      await node.client.sendTransaction({ account: bank, to: token, data, ...first })
      const { txHash } = await settled(id, 'failed')
      expect(await feeOf(txHash)).toMatchObject({ accountId, amount: await paidFor(txHash), orderId: id })
    })
  })

  test('what leaves a portfolio by its own transaction, and what others pull from it, is told', async () => {
    const [to, spender] = [fresh(), bank.address]
    await service.watch(customer.address, 'ethereum', { isPortfolio: true })
    const movementsOf = async (txHash: string) =>
      (await service.movements()).filter((each) => each.txHash === txHash && each.kind !== 'fee')
    const told = async (txHash: string) => await until(async () => (await movementsOf(txHash))[0])
    const data = encodeFunctionData({ abi: artifact.abi as Abi, functionName: 'approve', args: [spender, 7n] })
    const approval = await service.send(
      order({ from: customer.address, amount: '0', transactionData: { to: token, data } }),
    )
    const approved = await settled(approval.id, 'confirmed')
    const execution = await service.send(
      order({ from: customer.address, to, amount: '9', transactionData: { to, value: '9' } }),
    )
    const { txHash } = await settled(execution.id, 'confirmed')
    expect(await told(txHash)).toMatchObject({
      kind: 'out',
      place: 'out:0',
      accountId,
      address: customer.address,
      counterparty: to,
      contractAddress: null,
      amount: '9',
      decimals: 18,
      orderId: execution.id,
    })
    const pulled = await node.write(token, 'transferFrom', [customer.address, to, 7n])
    await node.mine(confirmations)
    expect(await told(pulled)).toMatchObject({
      kind: 'out',
      place: 'out:1',
      contractAddress: token,
      amount: '7',
      decimals: 6,
      orderId: null,
    })
    const withdrawal = await service.send(
      order({ from: customer.address, to, contractAddress: token, amount: '3', decimals: 6 }),
    )
    const withdrawn = await settled(withdrawal.id, 'confirmed')
    const last = await service.send(
      order({ from: customer.address, to, amount: '1', transactionData: { to, value: '1' } }),
    )
    await told((await settled(last.id, 'confirmed')).txHash)
    expect([await movementsOf(withdrawn.txHash), await movementsOf(approved.txHash)]).toEqual([[], []])
  })
})
