// Nodes refuse for good what was signed: nothing that follows leaves its sender, and whoever operates reads why.
import { afterEach, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { anvilBinary, hotWallet } from './anvil'
import { behindLiar, fresh } from './on-anvil'

describe.skipIf(!anvilBinary)('a transaction that nodes refuse', () => {
  const ends: (() => Promise<unknown>)[] = []
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
})
