// What is to be signed for an order that is not known here: refused for good once the ledger does not order it either.
import { describe, expect, test } from 'bun:test'
import { refused } from './harness'
import { order, start, state, stranger } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { sign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { held, restored } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const other = `0x${'ab'.repeat(32)}`
const end = (id: string, status: 'COMPLETED', txHash: string) => void peers.ledger.ended.set(id, { status, txHash })

describe('a transaction for an unknown order', () => {
  const unsigned = (orderId: string) =>
    JSON.stringify({ orderId, network: 'polygon', from: stranger, to: stranger, contractAddress: null, amount: '1' })
  const ask = (orderId: string) =>
    sign(service, { orderId, network: 'polygon', signers: [stranger], unsigned: unsigned(orderId) })

  test('404 while the ledger may order it again, 503 while it is unavailable', async () => {
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
    await restored()
    refused(await ask(id), 404)
    refused(await ask(Bun.randomUUIDv7()), 422)
  })

  test('422 when the ledger does not order it either: the refusal is recorded, and it is never paid', async () => {
    const id = Bun.randomUUIDv7()
    expect(refused(await ask(id), 422).message).toContain('the core ledger does not know')
    refused(await ask(id), 422)
    await start(service, order({ id }))
    expect(await state(service, id)).toMatchObject({ status: 'failed', txHash: null })
  })

  test('422 for each request, also after a restore: its send ends, whichever answer is lost', async () => {
    const id = Bun.randomUUIDv7()
    expect(refused(await ask(id), 422).message).toContain('the core ledger does not know')
    await restored()
    expect(refused(await ask(id), 422).message).toContain('its order has ended: failed')
    expect(await held()).toEqual([])
  })
})
