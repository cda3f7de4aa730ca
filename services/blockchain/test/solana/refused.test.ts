// A node takes one transaction and not another: on Solana none waits for the one before it.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { startSending } from '../../src/sends/sending'
import { onLitesvm } from './on-litesvm'
import { newKey } from './solana-wallet'

let scene: Awaited<ReturnType<typeof onLitesvm>>
beforeAll(async () => {
  scene = await onLitesvm()
})
afterAll(() => scene.stop())

test('a signed transaction that nodes refuse is named with their reason, and those behind it are handed over', async () => {
  const { service, node, order, settled } = scene
  const [listed, other] = [await newKey(), await newKey()]
  node.refuses = listed.address
  await service.halt()
  const first = await service.send(order({ to: listed.address }))
  const next = await service.send(order({ to: other.address }))
  const sending = startSending(service.deps)
  const { txHash } = await service.reached(first.id, 'broadcast')
  await settled(next.id)
  const reason = `A node of solana refuses the transaction ${txHash}: Refusal: Not this one (-32602)`
  await until(async () => (await service.get(`/sends/${first.id}`)).body.lastError === reason)
  const health = async () => (await service.get('/health')).body
  expect(await health()).toMatchObject({ status: 'degraded', waiting: [expect.stringContaining(reason)] })
  expect(node.handedOver).not.toContain(txHash ?? '')
  node.refuses = null
  await settled(first.id)
  await until(async () => (await health()).waiting === undefined)
  await sending.stop()
})
