import { describe, expect, test } from 'bun:test'
import type { ConfirmedDeposit } from '@bursar/contracts/blockchain'
import { until } from '@bursar/testing'
import { type Hex, parseTransaction } from 'viem'
import { startSending } from '../../src/sends/sending'
import { startScanning } from '../../src/transfers/scanning'
import { refused } from '../harness'
import { type Anvil, anvilBinary, bank, hotWallet } from './anvil'
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
      { what: 'a replacement' },
    )
    expect(replaced.status).toBe('broadcast')
    const [a, b] = service.wallet.signed.map(({ unsigned }) => parseTransaction(unsigned as Hex))
    expect([b?.nonce, b?.to, b?.value]).toEqual([a?.nonce, a?.to, a?.value])
    expect(Number(b?.maxFeePerGas)).toBeGreaterThanOrEqual(Number(a?.maxFeePerGas) * 1.125)
    await until(async () => {
      await node.mine()
      return (await service.internal('GET', `/sends/${id}`)).body.status === 'confirmed'
    })
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
  const reorg = (node: Anvil, depth: number) =>
    node.client.request({ method: 'anvil_reorg', params: [depth, []] } as never)
  /** A deposit that is confirmed, and its transaction, which can be handed over again. */
  async function credited(depth = 1) {
    const { node, service } = await onAnvil({ ETHEREUM_CONFIRMATIONS: String(depth) })
    const to = fresh()
    await service.watch(to)
    const hash = await node.pay(to, 3n)
    await node.mine(depth)
    await until(async () => (await service.deposits()).length === 1)
    const raw = (await node.client.request({ method: 'eth_getRawTransactionByHash', params: [hash] } as never)) as Hex
    const handOver = () => node.client.sendRawTransaction({ serializedTransaction: raw }).catch(() => {})
    const changes = async () => {
      const { body } = await service.internal('GET', '/deposits/changes')
      return body.items.map(({ record }: { record: ConfirmedDeposit }) => record)
    }
    const end = async () => {
      await service.stop()
      await node.kill()
    }
    return { node, service, to, hash, handOver, changes, end }
  }
  const time = expect.stringMatching(/Z$/)

  test('reverses the deposit, and confirms it again in its place when it comes back', async () => {
    const { node, service, to, hash, handOver, changes, end } = await credited()
    const [first] = await service.deposits()
    await reorg(node, 1)
    await node.client.request({ method: 'anvil_dropTransaction', params: [hash] } as never)
    await node.client.mine({ blocks: 2 })
    await until(async () => (await service.depositEvents()).length === 2)
    expect((await service.depositEvents())[1]).toEqual({ ...(first as ConfirmedDeposit), reversedAt: time })
    expect(await changes()).toEqual([{ ...first, reversedAt: time }])
    const [entry] = (await service.get(`/addresses/${to}/transactions`)).body.data
    expect(entry).toMatchObject({ transactionHash: hash, status: 'reversed' })
    await handOver()
    await node.mine()
    await until(async () => (await service.depositEvents()).length === 3)
    expect((await service.depositEvents())[2]).toEqual({ ...(first as ConfirmedDeposit), confirmedAt: time })
    expect(await changes()).toMatchObject([{ id: first?.id, reversedAt: null }])
    await end()
  })

  test('once more before it is final again: it stays reversed until it is', async () => {
    const { node, service, to, handOver, hash, changes, end } = await credited(2)
    const statusOf = async () => (await service.get(`/addresses/${to}/transactions`)).body.data[0]?.status
    const again = async (depth: number) => {
      await reorg(node, depth)
      await node.client.request({ method: 'anvil_dropTransaction', params: [hash] } as never)
    }
    await again(2)
    await node.mine()
    await until(async () => (await statusOf()) === 'reversed')
    await handOver()
    await node.mine()
    await until(async () => (await statusOf()) === 'pending')
    await again(1)
    await node.mine(4)
    await until(async () => (await statusOf()) === 'reversed')
    expect(await service.depositEvents()).toHaveLength(2)
    await handOver()
    await node.mine(2)
    await until(async () => (await statusOf()) === 'confirmed')
    const events = await service.depositEvents()
    expect(events.map(({ reversedAt }) => reversedAt !== null)).toEqual([false, true, false])
    expect(new Set(events.map(({ id }) => id)).size).toBe(1)
    expect(await changes()).toHaveLength(1)
    await end()
  })

  test('another deposit in the new blocks is one of its own', async () => {
    const { node, service, to, hash, end } = await credited()
    await reorg(node, 1)
    await node.client.request({ method: 'anvil_dropTransaction', params: [hash] } as never)
    const later = await node.pay(to, 4n)
    await node.mine()
    await until(async () => (await service.deposits()).some(({ txHash }) => txHash === later))
    expect((await service.deposits()).map(({ txHash }) => txHash)).toEqual([hash, later])
    await end()
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
    const state = await until(async () => {
      await node.mine()
      const { body } = await service.internal('GET', `/sends/${id}`)
      return body.status === 'confirmed' && body
    })
    expect(state.txHash).not.toBe(txHash)
    expect((await node.client.getTransaction({ hash: state.txHash as Hex })).nonce).toBeGreaterThan(nonce)
    expect(await service.states(id)).toEqual(['broadcast', 'broadcast', 'confirmed'])
    await again.stop()
    await service.stop()
    await node.kill()
  })
})
