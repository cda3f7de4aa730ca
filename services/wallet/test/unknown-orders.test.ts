// What is to be signed for an order that is not known here: refused for good once the ledger does not order it either.
import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { HeldOrder } from '@bursar/contracts/held-orders'
import { runFileName } from '../src/restore/run-file'
import { expectStatus, refused, type TestWallets, testWallets } from './harness'
import { order, start, state, stranger } from './orders'
import { type Peers, startPeers } from './peers'
import { sign } from './signing'

let peers: Peers
let service: TestWallets
beforeEach(async () => {
  peers = startPeers()
  service = await testWallets(peers)
})
afterEach(async () => {
  await service.close()
  await peers.server.stop()
})

const other = `0x${'ab'.repeat(32)}`
const held = async () =>
  expectStatus<{ items: HeldOrder[] }>(await service.get('/internal/held-orders', service.operator), 200).items
const end = (id: string, status: 'COMPLETED', txHash: string) => void peers.ledger.ended.set(id, { status, txHash })

describe('a transaction to be signed for an order that is not known here', () => {
  const unsigned = (orderId: string) =>
    JSON.stringify({ orderId, network: 'polygon', from: stranger, to: stranger, contractAddress: null, amount: '1' })
  const ask = (orderId: string) =>
    sign(service, { orderId, network: 'polygon', signers: [stranger], unsigned: unsigned(orderId) })

  test('404 while the ledger may order it again, 503 while it cannot be asked', async () => {
    const { id, ...terms } = order()
    peers.ledger.booked.set(id, terms)
    refused(await ask(id), 404)
    end(id, 'COMPLETED', other)
    refused(await ask(id), 404)
    peers.away.add('core-ledger')
    refused(await ask(id), 503)
    expect((await service.get(`/internal/withdrawals/${id}`, service.ledger)).status).toBe(404)
  })

  test('404 for one from before a restore, which may have been signed', async () => {
    const id = Bun.randomUUIDv7()
    await start(service, order())
    await service.close()
    rmSync(join(service.dataDir, runFileName))
    service = await testWallets(peers, { dataDir: service.dataDir })
    refused(await ask(id), 404)
    refused(await ask(Bun.randomUUIDv7()), 422)
  })

  test('422 when the ledger does not order it either: it is recorded, and never paid', async () => {
    const id = Bun.randomUUIDv7()
    expect(refused(await ask(id), 422).message).toContain('the core ledger does not know')
    refused(await ask(id), 422)
    await start(service, order({ id }))
    expect(await state(service, id)).toMatchObject({ status: 'failed', txHash: null })
  })

  test('422 each time it is asked for, also after a restore: its send ends, whichever answer is lost', async () => {
    const id = Bun.randomUUIDv7()
    expect(refused(await ask(id), 422).message).toContain('the core ledger does not know')
    await service.close()
    rmSync(join(service.dataDir, runFileName))
    service = await testWallets(peers, { dataDir: service.dataDir })
    expect(refused(await ask(id), 422).message).toContain('its order has ended: failed')
    expect(await held()).toEqual([])
  })
})
