import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type Hex, parseTransaction } from 'viem'
import { startSending } from '../../src/sends/sending'
import { startScanning } from '../../src/transfers/scanning'
import { refused } from '../harness'
import { anvilBinary, bank, hotWallet } from './anvil'
import { confirmations, fresh, onAnvil } from './on-anvil'

describe.skipIf(!anvilBinary)('a stuck transaction', () => {
  test('gets a higher fee under the same nonce, and is sent once', async () => {
    const { node, service } = await onAnvil({ STUCK_AFTER_SECONDS: '1' })
    const to = fresh()
    const { id } = await service.send({ from: hotWallet.address, to, amount: '5' })
    const first = await service.reached(id, 'broadcast')
    const replaced = await until(
      async () => {
        const { body } = await service.internal('GET', `/sends/${id}`)
        return body.txHash !== first.txHash && body
      },
      { timeoutMs: 10_000, what: 'a replacement' },
    )
    expect(replaced.status).toBe('broadcast')
    const [a, b] = service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex))
    expect([b?.nonce, b?.to, b?.value]).toEqual([a?.nonce, a?.to, a?.value])
    expect(Number(b?.maxFeePerGas)).toBeGreaterThanOrEqual(Number(a?.maxFeePerGas) * 1.125)
    await until(
      async () => {
        await node.mine()
        return (await service.internal('GET', `/sends/${id}`)).body.status === 'confirmed'
      },
      { timeoutMs: 10_000 },
    )
    expect(await node.client.getBalance({ address: to })).toBe(5n)
    await service.stop()
    await node.kill()
  })
})

describe.skipIf(!anvilBinary)('what came while no node could be asked', () => {
  test('is seen when one answers, also right after the first address was watched', async () => {
    const { node, service } = await onAnvil()
    await node.kill()
    const to = fresh()
    await service.watch(to)
    await service.halt()
    await node.start()
    const hash = await node.pay(to, 3n)
    await node.mine(50)
    const again = startScanning(service.deps)
    await until(async () => (await service.deposits()).some(({ txHash }) => txHash === hash))
    await again.stop()
    await service.stop()
    await node.kill()
  })
})

describe.skipIf(!anvilBinary)('a reorganisation that is deeper than the confirmations', () => {
  test('publishes no deposit a second time', async () => {
    const { node, service } = await onAnvil({ ETHEREUM_CONFIRMATIONS: '1' })
    const to = fresh()
    await service.watch(to)
    const hash = await node.pay(to, 3n)
    await node.mine()
    await until(async () => (await service.deposits()).length === 1)
    const raw = await node.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)
    await node.client.request({ method: 'anvil_reorg', params: [2, []] } as never)
    await node.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
    const later = await node.pay(to, 4n)
    await node.mine()
    await until(async () => (await service.deposits()).some(({ txHash }) => txHash === later))
    expect((await node.client.getTransactionReceipt({ hash })).status).toBe('success')
    expect((await service.deposits()).map(({ txHash }) => txHash)).toEqual([hash, later])
    await service.stop()
    await node.kill()
  })
})

describe.skipIf(!anvilBinary)('POST /simulated/ethereum/deposits', () => {
  test('400 where the network is real', async () => {
    const { node, service } = await onAnvil()
    const answer = await service.post('/simulated/ethereum/deposits', { address: fresh(), asset: 'ETH', amount: '1' })
    expect(refused(answer, 400).message).toBe('ethereum is not simulated: deposits come from its chain')
    await service.stop()
    await node.kill()
  })
})

describe.skipIf(!anvilBinary)('a nonce that somebody else took', () => {
  test('the order is sent with another', async () => {
    const { node, service } = await onAnvil()
    const { id } = await service.send({ from: hotWallet.address, to: fresh(), amount: '11' })
    const { txHash } = await service.reached(id, 'broadcast')
    const { nonce } = await until(() => node.client.getTransaction({ hash: txHash as Hex }))
    await node.client.request({ method: 'anvil_dropTransaction', params: [txHash] } as never)
    await service.halt()
    await node.client.request({ method: 'anvil_dropTransaction', params: [txHash] } as never)
    const taker = await node.client.sendTransaction({
      account: hotWallet,
      to: bank.address,
      value: 1n,
      nonce,
      maxFeePerGas: 200_000_000_000n,
      maxPriorityFeePerGas: 100_000_000_000n,
    })
    await node.mine(confirmations + 1)
    expect((await node.client.getTransactionReceipt({ hash: taker })).status).toBe('success')
    // As after a restart.
    const again = startSending(service.deps)
    const state = await until(
      async () => {
        await node.mine()
        const { body } = await service.internal('GET', `/sends/${id}`)
        return body.status === 'confirmed' && body
      },
      { timeoutMs: 15_000 },
    )
    expect(state.txHash).not.toBe(txHash)
    expect((await node.client.getTransaction({ hash: state.txHash as Hex })).nonce).toBeGreaterThan(nonce)
    expect(await service.states(id)).toEqual(['accepted', 'broadcast', 'accepted', 'broadcast', 'confirmed'])
    await again.stop()
    await service.stop()
    await node.kill()
  })
})
