// The balance of an address is compared with all that it may still have to pay of it, also with what is paid while it is read.
import { expect, test } from 'bun:test'
import { fundedAccount, moveSend, oneAndAHalf, order, start, state, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
ownWallets((own) => {
  ;({ peers, service } = own)
})

test('an address whose balance was read before its last payment left is not chosen for what that took', async () => {
  const { accountId, address } = await fundedAccount(service, peers, 2n * oneAndAHalf - 1n)
  const first = await start(service, order({ accountId }))
  await service.drive()
  expect(peers.sends.get(first.id)?.order.from).toBe(address)
  const second = await start(service, order({ accountId }))
  let isPaid = false
  peers.fault(async (request, usual) => {
    const answer = await usual()
    if (isPaid || !request.url.endsWith(`${address}/holdings`)) return answer
    isPaid = true
    // The balance is on its way; the payment is final, and the blockchain service says so.
    peers.hold('polygon', address, { native: String(oneAndAHalf - 1n) })
    await moveSend(service, peers, { id: first.id, status: 'confirmed', txHash: txHash() })
    return answer
  })
  await service.drive()
  expect([isPaid, (await state(service, first.id)).status]).toEqual([true, 'confirmed'])
  expect([peers.sends.has(second.id), (await state(service, second.id)).waitsFor]).toEqual([
    false,
    'No address was found that can pay it: top up the account’s wallet or the deployment’s own address',
  ])
  peers.hold('polygon', address, { native: String(oneAndAHalf) })
  await service.drive(61_000)
  expect(peers.sends.get(second.id)?.order.from).toBe(address)
})
