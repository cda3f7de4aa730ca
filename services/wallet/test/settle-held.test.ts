import { describe, expect, test } from 'bun:test'
import { expectStatus, refused } from './harness'
import { fundedAccount, order, start, state, stranger } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { settle } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const minute = 61_000
const paid = (id: string, txHash: string) => settle(id, 'paid', { txHash })

describe('an operator records that an order was paid', () => {
  async function waiting() {
    const { accountId, address } = await fundedAccount(service, peers)
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    const body = toSign(peers, id, 0)
    expectStatus(await sign(service, body), 200)
    peers.sends.clear()
    await service.drive(minute)
    return { id, txHash: chainHash(body), address }
  }

  test('by its own signature, once that is final', async () => {
    const { id, txHash, address } = await waiting()
    expect(refused(await paid(id, txHash), 422).message).toContain('does not know the transaction')
    peers.transactions.set(txHash, { from: [address], to: [stranger], transfers: [] })
    expect(refused(await paid(id, txHash), 422).message).toContain('is not final')
    peers.fates.set(txHash, 'final')
    expectStatus(await paid(id, txHash), 200)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
    refused(await paid(id, txHash), 404)
  })

  test('by another transaction, which goes from its payer to its destination and has paid no other order', async () => {
    const { id, address } = await waiting()
    const other = await waiting()
    const hash = `0x${'ab'.repeat(32)}`
    peers.transactions.set(hash, { from: [address], to: ['0x1111111111111111111111111111111111111111'], transfers: [] })
    expect(refused(await paid(id, hash), 422).message).toContain('does not go to')
    peers.transactions.set(hash, { from: [other.address], to: [stranger], transfers: [] })
    expect(refused(await paid(id, hash), 422).message).toContain('does not come from')
    peers.transactions.set(other.txHash, { from: [address], to: [stranger], transfers: [] })
    expect(refused(await paid(id, other.txHash), 422).message).toContain('was signed for order')
    peers.transactions.set(hash, {
      from: [address.toLowerCase()],
      to: [stranger.toUpperCase().replace('0X', '0x')],
      transfers: [],
    })
    expectStatus(await paid(id, hash), 200)
    peers.transactions.set(hash, { from: [other.address], to: [stranger], transfers: [] })
    expect(refused(await paid(other.id, hash), 422).message).toContain(`is the transaction of order ${id}`)
  })

  test('to an address of this deployment: the transfer must be final, of its token and amount', async () => {
    const { id, address } = await waiting()
    const hash = `0x${'cd'.repeat(32)}`
    const transfer = {
      logIndex: 0,
      accountId: Bun.randomUUIDv7(),
      sourceAddress: address,
      toAddress: stranger,
      contractAddress: null,
      amount: (15n * 10n ** 17n).toString(),
      isFinal: true,
    }
    const tell = (fields: Partial<typeof transfer>) =>
      peers.transactions.set(hash, { from: [address], to: [stranger], transfers: [{ ...transfer, ...fields }] })
    for (const fields of [{ amount: '1' }, { contractAddress: stranger as never }, { isFinal: false }]) {
      tell(fields)
      expect(refused(await paid(id, hash), 422).message).toContain('moves another token or amount')
    }
    tell({})
    expectStatus(await paid(id, hash), 200)
  })
})
