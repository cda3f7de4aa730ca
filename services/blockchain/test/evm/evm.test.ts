import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type Abi, encodeFunctionData, type Hex, parseEther } from 'viem'
import { follow } from '../../src/assets/follow-assets'
import type { TestBlockchain } from '../harness'
import { anvilBinary, bank, hotWallet } from './anvil'
import { confirmations, fresh, type OnAnvil, onAnvil } from './on-anvil'
import artifact from './test-token.json'

const pull = (from: Hex, to: Hex, amount: bigint): Hex =>
  encodeFunctionData({ abi: artifact.abi as Abi, functionName: 'transferFrom', args: [from, to, amount] })

describe.skipIf(!anvilBinary)('on anvil', () => {
  let scene: OnAnvil
  let node: OnAnvil['node']
  let service: TestBlockchain
  let token: Hex
  beforeAll(async () => {
    scene = await onAnvil()
    ;({ node, service, token } = scene)
    await node.write(token, 'transfer', [hotWallet.address, 50_000_000n])
    await node.mine()
  })
  afterAll(() => scene.stop())

  const depositOf = (txHash: string) => scene.depositOf(txHash)
  const statusOf = async (address: string, txHash: string) =>
    (await service.get(`/addresses/${address}/transactions`)).body.data.find(
      (each: { transactionHash: string }) => each.transactionHash === txHash,
    )?.status
  const settled = (id: string, status: 'confirmed' | 'failed') => scene.settled(id, status)

  describe('deposits', () => {
    test('of ETH: pending, then published with its confirmations', async () => {
      const to = fresh()
      await service.watch(to)
      const hash = await node.pay(to, parseEther('1.5'))
      await node.mine()
      await until(async () => (await statusOf(to, hash)) === 'pending')
      expect((await service.get(`/transactions/${hash}`)).body).toMatchObject({
        status: 'pending',
        confirmations: 1,
        network: 'ethereum',
        simulated: false,
      })
      await node.mine(confirmations - 2)
      expect(await statusOf(to, hash)).toBe('pending')
      await node.mine()
      expect(await depositOf(hash)).toMatchObject({
        network: 'ethereum',
        logIndex: 0,
        address: to,
        sourceAddress: bank.address,
        contractAddress: null,
        amount: String(parseEther('1.5')),
        decimals: 18,
      })
      expect((await service.get(`/addresses/${to}`)).body.data).toEqual([
        { currency: 'ETH', amount: '1.5', address: to, network: 'ethereum', contractAddress: null, simulated: false },
      ])
    })

    test('not of nothing, which anybody can send', async () => {
      const to = fresh()
      await service.watch(to)
      const nothing = await node.write(token, 'transfer', [to, 0n])
      const hash = await node.write(token, 'transfer', [to, 7n])
      await node.mine(confirmations)
      await depositOf(hash)
      expect(await statusOf(to, nothing)).toBeUndefined()
    })

    test('of a token with 6 decimals', async () => {
      const to = fresh()
      await service.watch(to.toLowerCase())
      const hash = await node.write(token, 'transfer', [to, 12_500_000n])
      await node.mine(confirmations)
      expect(await depositOf(hash)).toMatchObject({
        logIndex: 1,
        address: to,
        sourceAddress: bank.address,
        contractAddress: token,
        amount: '12500000',
        decimals: 6,
      })
      const { body } = await service.get(`/addresses/${to}?filter[currency]=TUSD&filter[amount]=gte:12.5`)
      expect(body.data).toEqual([
        {
          currency: 'TUSD',
          amount: '12.5',
          address: to,
          network: 'ethereum',
          contractAddress: token,
          simulated: false,
        },
      ])
      expect((await service.get(`/addresses/${to}?filter[amount]=gt:12.5`)).body.data).toEqual([])
    })

    test('of an unknown token: recorded, and published once the token is registered', async () => {
      const to = fresh()
      const unknown = await node.deployToken()
      await service.watch(to)
      const hash = await node.write(unknown, 'transfer', [to, 5n])
      await node.mine(confirmations)
      await until(async () => (await statusOf(to, hash)) === 'unknown_token')
      const holdings = await service.internal('GET', `/addresses/ethereum/${to.toLowerCase()}/holdings`)
      expect(holdings.body).toEqual([{ contractAddress: unknown, amount: '5', decimals: 6 }])
      await service.internal('POST', '/tokens', {
        network: 'ethereum',
        contractAddress: unknown.toLowerCase(),
        code: 'LATE',
        decimals: 6,
      })
      expect(await depositOf(hash)).toMatchObject({ amount: '5', contractAddress: unknown })
    })

    test('a token has the decimals that its contract says, whatever an asset of the ledger has', async () => {
      const [to, contractAddress] = [fresh(), await node.deployToken()]
      await service.watch(to)
      const reasons: string[] = []
      const deps = { ...service.deps, assets: { leftOut: (_: object, reason: string) => void reasons.push(reason) } }
      await follow(deps, { code: 'SCALED', network: 'ethereum', contractAddress, decimals: 18 }, [])
      expect(reasons).toEqual(['Its contract has 6 decimals'])
      const hash = await node.write(contractAddress, 'transfer', [to, 12_500_000n])
      await node.mine(confirmations)
      expect(await depositOf(hash)).toMatchObject({ amount: '12500000', decimals: 6 })
      const { body } = await service.get(`/addresses/${to}?filter[currency]=SCALED`)
      expect(body.data).toMatchObject([{ amount: '12.5' }])
    })

    test('a failed transaction is none', async () => {
      const to = fresh()
      await service.watch(token)
      const refusedEther = await node.client.sendTransaction({ account: bank, to: token, value: 5n, gas: 100_000n })
      await service.watch(to)
      await node.write(token, 'setBlocked', [to, true])
      await node.mine()
      const failed = await node.client.sendTransaction({
        account: bank,
        to: token,
        gas: 100_000n,
        data: `0xa9059cbb${to.slice(2).padStart(64, '0').toLowerCase()}${'1'.padStart(64, '0')}`,
      })
      const paid = await node.pay(to, 1n)
      await node.mine(confirmations)
      await depositOf(paid)
      expect(await statusOf(to, failed)).toBeUndefined()
      expect((await node.client.getTransactionReceipt({ hash: refusedEther })).status).toBe('reverted')
      expect(await statusOf(token, refusedEther)).toBeUndefined()
    })

    test('a reorganisation takes a pending deposit back; in its new block it is published once', async () => {
      const to = fresh()
      await service.watch(to)
      // The blocks that go are its own.
      await node.mine(2)
      const hash = await node.pay(to, 7n)
      await node.mine()
      await until(async () => (await statusOf(to, hash)) === 'pending')
      await node.client.request({ method: 'anvil_reorg', params: [2, []] } as never)
      await until(async () => (await statusOf(to, hash)) === undefined)
      await node.mine(confirmations)
      expect(await service.deposits().then((all) => all.filter((deposit) => deposit.address === to))).toEqual([])
      const again = await node.pay(to, 7n)
      await node.mine(confirmations)
      await depositOf(again)
      expect((await service.deposits()).filter((deposit) => deposit.address === to)).toHaveLength(1)
    })
  })

  describe('sends', () => {
    const order = (fields: object = {}) => ({ from: hotWallet.address, to: fresh(), amount: '1000', ...fields })

    test('of ETH and of a token arrive, with their hashes', async () => {
      const ether = order()
      const dollars = order({ contractAddress: token, amount: '1500000', decimals: 6 })
      const [first, second] = [await service.send(ether), await service.send(dollars)]
      const sent = [await settled(first.id, 'confirmed'), await settled(second.id, 'confirmed')]
      expect(await node.client.getBalance({ address: ether.to })).toBe(1000n)
      expect(await node.balanceOf(token, dollars.to)).toBe(1_500_000n)
      for (const { txHash } of sent) {
        const receipt = await node.client.getTransactionReceipt({ hash: txHash as Hex })
        expect(receipt).toMatchObject({ status: 'success', from: hotWallet.address.toLowerCase() })
      }
      expect((await service.get(`/transactions/${sent[1]?.txHash}`)).body).toMatchObject({
        status: 'confirmed',
        orderId: second.id,
        transfers: [{ fromAddress: hotWallet.address, toAddress: dollars.to, currency: 'TUSD', amount: '1.5' }],
      })
      const parties = await service.internal('GET', `/transactions/ethereum/${sent[1]?.txHash}/parties`)
      expect(parties.body).toEqual({
        network: 'ethereum',
        txHash: sent[1]?.txHash,
        from: [hotWallet.address],
        to: [token, dollars.to],
      })
      const holdings = await service.internal('GET', `/addresses/ethereum/${dollars.to}/holdings`)
      expect(holdings.body).toEqual([{ contractAddress: token, amount: '1500000', decimals: 6 }])
      expect((await service.internal('GET', `/transactions/ethereum/0x${'0'.repeat(64)}/parties`)).status).toBe(404)
    })

    test('a portfolio transaction goes through unchanged', async () => {
      const spender = fresh()
      const data = `0x095ea7b3${spender.slice(2).padStart(64, '0').toLowerCase()}${'ff'.padStart(64, '0')}`
      const { id } = await service.send(order({ amount: '0', transactionData: { to: token, data, value: '0x0' } }))
      const { txHash } = await settled(id, 'confirmed')
      expect((await node.client.getTransaction({ hash: txHash as Hex })).input).toBe(data as Hex)
    })

    test('what a transaction of ours moves to a watched address is a deposit, whosever it was', async () => {
      const to = fresh()
      await service.watch(to)
      await node.write(token, 'approve', [hotWallet.address, 5n])
      await node.mine()
      const data = pull(bank.address, to, 5n)
      const { id } = await service.send(order({ amount: '0', transactionData: { to: token, input: data } }))
      const { txHash } = await settled(id, 'confirmed')
      expect(await depositOf(txHash)).toMatchObject({ address: to, sourceAddress: bank.address, amount: '5' })
    })

    test('50 at once from one hot wallet all arrive, each once', async () => {
      const to = fresh()
      const before = await node.client.getTransactionCount({ address: hotWallet.address })
      const sent = await Promise.all(Array.from({ length: 50 }, () => service.send(order({ to, amount: '3' }))))
      for (const { id } of sent) await settled(id, 'confirmed')
      expect(await node.client.getBalance({ address: to })).toBe(150n)
      expect(await node.client.getTransactionCount({ address: hotWallet.address })).toBe(before + 50)
    })

    test.each([
      [
        'a contract that reverts',
        () => order({ contractAddress: token, amount: '9999999999', decimals: 6 }),
        'execution reverted: TestToken: balance exceeded',
      ],
      [
        'more than there is',
        () => order({ amount: String(parseEther('1000000')) }),
        /^insufficient funds: .* holds .* ETH, and 1000000\.\d+ is needed with the fee|^insufficient funds: .* holds 9\d+\.\d+ ETH, and 1000000/,
      ],
      ['another fee payer', () => order({ feePayer: bank.address }), /no other fee payer/],
      [
        'a payload without an address',
        () => order({ transactionData: { to: 'x' } }),
        'transactionData.to is not an address',
      ],
      [
        'a payload with an odd value',
        () => order({ transactionData: { to: fresh(), value: '1.5' } }),
        'transactionData.value is not a whole number of wei',
      ],
    ])('%s fails before it is sent', async (_what, fields, reason) => {
      const { id } = await service.send(fields())
      const state = await service.reached(id, 'failed')
      expect(state.reason).toMatch(reason)
      expect(state.txHash).toBeNull()
    })

    test('what reverts on the chain fails with its reason and its hash', async () => {
      const to = fresh()
      const { id } = await service.send(order({ to, contractAddress: token, amount: '1', decimals: 6 }))
      await service.reached(id, 'broadcast')
      // Ahead of it in the same block.
      await node.client.writeContract({
        account: bank,
        address: token,
        abi: [
          {
            type: 'function',
            name: 'setBlocked',
            stateMutability: 'nonpayable',
            inputs: [{ type: 'address' }, { type: 'bool' }],
            outputs: [],
          },
        ],
        functionName: 'setBlocked',
        args: [to, true],
        maxPriorityFeePerGas: 50_000_000_000n,
        maxFeePerGas: 100_000_000_000n,
      })
      const state = await settled(id, 'failed')
      expect(state.txHash).toMatch(/^0x/)
      expect(state.reason).toBe('execution reverted: TestToken: account is blocked')
    })
  })
})
