// What a send may be built from, and what is taken for it.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import {
  encodeFunctionData,
  erc20Abi,
  type Hex,
  keccak256,
  parseEther,
  parseGwei,
  parseTransaction,
  type TransactionSerializable,
} from 'viem'
import { startSending } from '../../src/sends/sending'
import { anvilBinary, bank, hotWallet } from './anvil'
import { type Lie, lyingNode } from './lying-node'
import { behindLiar, fresh, onAnvil } from './on-anvil'

describe.skipIf(!anvilBinary)('on anvil', () => {
  const ends: (() => Promise<unknown>)[] = []
  afterEach(async () => {
    for (const end of ends.splice(0).reverse()) await end()
  })
  async function begin(env: Record<string, string> = {}) {
    const begun = await onAnvil(env)
    ends.push(
      () => begun.node.kill(),
      () => begun.service.stop(),
    )
    const detail = async (id: string) => (await begun.service.get(`/sends/${id}`)).body
    return { ...begun, detail, confirmed: (id: string) => begun.settled(id) }
  }
  const order = (fields: object = {}) => ({ from: hotWallet.address, to: fresh(), amount: '1000', ...fields })

  test('coins that a send on its way will take are not promised to another one', async () => {
    const { service, detail } = await begin()
    const amount = String(parseEther('6000'))
    const first = await service.send(order({ amount }))
    await service.reached(first.id, 'broadcast')
    const second = await service.send(order({ amount }))
    await until(async () => (await detail(second.id)).failures > 1)
    expect(await detail(second.id)).toMatchObject({
      status: 'accepted',
      lastError: expect.stringMatching(/others come first$/),
    })
    expect(service.wallet.signed).toHaveLength(1)
  })

  test('what is in a block is not promised a second time, although it is not final', async () => {
    const { node, service, detail } = await begin()
    const first = await service.send(order({ amount: String(parseEther('6000')) }))
    const pending = { address: hotWallet.address, blockTag: 'pending' } as const
    await until(async () => (await node.client.getTransactionCount(pending)) === 1)
    await node.mine()
    const second = await service.send(order({ amount: String(parseEther('3000')) }))
    await service.reached(second.id, 'broadcast')
    expect((await detail(first.id)).status).toBe('broadcast')
  })

  test('tokens are not promised twice either, also among sends that are built together', async () => {
    const { node, service, token, detail } = await begin()
    await node.write(token, 'transfer', [hotWallet.address, 10n])
    await node.mine()
    await service.halt()
    const fields = { contractAddress: token, amount: '6', decimals: 6 }
    const sent = [await service.send(order(fields)), await service.send(order(fields))]
    const sending = startSending(service.deps)
    ends.push(() => sending.stop())
    await service.reached(sent[0]?.id ?? '', 'broadcast')
    await until(async () => (await detail(sent[1]?.id ?? '')).failures > 0)
    expect((await detail(sent[1]?.id ?? '')).lastError).toMatch(
      /of the token, and 0\.000006 is needed, but others come first$/,
    )
    expect(service.wallet.signed).toHaveLength(1)
  })

  test('what a send takes that gets into a block while the next one is built is not paid twice', async () => {
    const { node, service, lies } = await behindLiar(ends)
    const amount = String(parseEther('6000'))
    const first = await service.send(order({ amount }))
    await service.reached(first.id, 'broadcast')
    // After the node has found the balance, and before it gives it.
    lies.now = async ({ method }) => void (method === 'eth_getBalance' && (await node.mine()))
    const second = await service.send(order({ amount }))
    expect(await service.reached(second.id, 'failed')).toMatchObject({ txHash: null })
    expect(service.wallet.signed).toHaveLength(1)
  })

  test('a token payment reaches an address that is swept before its block', async () => {
    const { node, service, token, confirmed } = await begin()
    const to = fresh()
    await node.write(token, 'transfer', [hotWallet.address, 5n])
    await node.write(token, 'transfer', [to, 7n])
    await node.mine()
    await node.client.impersonateAccount({ address: to })
    await node.client.setBalance({ address: to, value: parseEther('1') })
    const { id } = await service.send(order({ to, contractAddress: token, amount: '5', decimals: 6 }))
    await service.reached(id, 'broadcast')
    // In the same block, before it by its fee.
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [bank.address, 7n] })
    const fees = { maxPriorityFeePerGas: parseGwei('50'), maxFeePerGas: parseGwei('100') }
    await node.client.sendTransaction({ account: to, to: token, data, gas: 100_000n, ...fees })
    await confirmed(id)
    expect(await node.balanceOf(token, to)).toBe(5n)
  })

  test('a sender that sends elsewhere, too: no nonce is given a second time', async () => {
    const { node, service, confirmed } = await begin()
    const pay = async (count: number) => {
      for (let i = 0; i < count; i += 1) {
        await node.client.sendTransaction({ account: hotWallet, to: bank.address, value: 1n })
      }
    }
    // Those wait in the node when the first send is built.
    await pay(2)
    const first = await service.send(order())
    await service.reached(first.id, 'broadcast')
    await confirmed(first.id)
    await pay(1)
    await node.mine()
    const second = await service.send(order())
    await confirmed(second.id)
    expect(service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce)).toEqual([2, 4])
  })

  test('a node that is behind: a nonce that was given is not given again', async () => {
    const scene = await begin()
    await scene.service.halt()
    let lie: Lie = () => undefined
    const liar = lyingNode(scene.node.url, (question, result) => lie(question, result))
    ends.push(() => liar.stop())
    const { service } = await begin({ ETHEREUM_RPC_URLS: liar.url })
    const first = await service.send(order())
    await service.reached(first.id, 'broadcast')
    await until(async () => {
      await scene.node.mine()
      return (await service.internal('GET', `/sends/${first.id}`)).body.status === 'confirmed'
    })
    lie = ({ method }) => (method === 'eth_getTransactionCount' ? '0x0' : undefined)
    const second = await service.send(order())
    await service.reached(second.id, 'broadcast')
    expect(service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0)).toEqual([0, 1])
  })

  test.each([
    ['too little', '0x1', 'transactionData.gas is 1, and at least 21000 are needed'],
    ['too much', '16777217', 'transactionData.gas is 16777217, above the 16777216 of a transaction'],
  ])('a portfolio transaction with %s gas takes no nonce: what follows it is sent', async (_, gas, reason) => {
    const { service, confirmed } = await begin()
    const to = fresh()
    const [bad, good] = [
      { to, value: '1', gas },
      { to, value: '3', gas: '21000' },
    ]
    const first = await service.send(order({ to, amount: '1', transactionData: bad }))
    expect(await service.reached(first.id, 'failed')).toMatchObject({ reason, txHash: null })
    const second = await service.send(order({ to, amount: '3', transactionData: good }))
    await confirmed(second.id)
    expect(service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex).nonce ?? 0)).toEqual([0])
  })

  test('a fee is not raised above what the sender has: nodes would refuse it, and nobody would hand over the cheaper one', async () => {
    const { node, service } = await begin()
    const { id } = await service.send(order())
    const { txHash } = await service.reached(id, 'broadcast')
    const unsigned = service.wallet.signed[0]?.unsigned ?? ''
    const draft = { unsigned, signers: [hotWallet.address], nonce: 0, expiresAt: null }
    const attempt = { ...draft, txHash: txHash ?? '', signed: '', createdAt: new Date() }
    const { sending } = await service.deps.networks.open('ethereum')
    const raised = await sending.dearer(attempt)
    const { value = 0n, gas = 0n, maxFeePerGas = 0n } = parseTransaction(raised?.unsigned as Hex)
    const cost = value + gas * maxFeePerGas
    await node.client.setBalance({ address: hotWallet.address, value: cost })
    expect(await sending.dearer(attempt)).toEqual(raised)
    await node.client.setBalance({ address: hotWallet.address, value: cost - 1n })
    expect(await sending.dearer(attempt)).toBeNull()
  })

  test('another transaction than the one that was built is not taken, though the right key signed it', async () => {
    const { node, service, detail, confirmed } = await begin()
    const { sign } = service.wallet
    service.wallet.sign = async ({ unsigned }) => {
      const changed = { ...parseTransaction(unsigned as Hex), value: 5n } as TransactionSerializable
      const signed = await hotWallet.signTransaction(changed)
      return { signed, txHash: keccak256(signed) }
    }
    const sent = order({ amount: '4' })
    const { id } = await service.send(sent)
    await until(async () => (await detail(id)).failures > 1)
    expect(await detail(id)).toMatchObject({
      status: 'accepted',
      lastError: 'The wallet service signed another transaction than was asked for',
    })
    service.wallet.sign = sign
    await confirmed(id)
    expect(await node.client.getBalance({ address: sent.to })).toBe(4n)
  })
})
