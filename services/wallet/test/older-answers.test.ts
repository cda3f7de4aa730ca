// What the blockchain service has told since it was asked is newer than its answer.
import { expect, test } from 'bun:test'
import { fundedAccount, moveSend, order, start, state, txHash } from './orders'
import { type Own, ownWallets } from './own-wallets'

let peers: Own['peers']
let service: Own['service']
ownWallets((own) => {
  ;({ peers, service } = own)
})

test('the hash of a payment that was sent anew while it is asked about stays', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId }))
  await service.drive()
  await moveSend(service, peers, { id, status: 'broadcast', txHash: txHash(1) })
  let isAsked = false
  peers.fault(async (request, usual) => {
    const answer = await usual()
    if (isAsked || !request.url.endsWith(`/internal/sends/${id}`)) return answer
    isAsked = true
    await moveSend(service, peers, { id, txHash: txHash(2) })
    return answer
  })
  await service.drive(61_000)
  expect([isAsked, (await state(service, id)).txHash]).toEqual([true, txHash(2)])
})
