import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type Hex, parseTransaction } from 'viem'
import { anvilBinary, hotWallet } from './anvil'
import { fresh, onAnvil } from './on-anvil'

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
