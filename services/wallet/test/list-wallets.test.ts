import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import { AccountCreated } from '@bursar/contracts/account'
import { accountState, delivered, expectStatus, refused, testWallets } from './harness'
import { sharedWallets } from './own-wallets'

const { peers, service } = await sharedWallets()

/** A participant with an omnibus account of its own and a customer's account, each with wallets. */
async function participant(routerData: Record<string, unknown> | null = { region: 'eu' }) {
  const id = Bun.randomUUIDv7()
  const omnibus = peers.account('OMNIBUS', { participantId: id })
  const customers = peers.account()
  peers.participants.set(id, { routerData, accountIds: [customers] })
  const own = await service.wallet(omnibus, 'ethereum')
  const theirs = await service.wallet(customers, 'polygon')
  return { id, own, theirs, omnibus, customers }
}

describe('GET /wallets', () => {
  test('lists the wallets of the participant: its own accounts’ and its customers’, oldest first', async () => {
    const { id, own, theirs, omnibus, customers } = await participant()
    await participant()
    const { body } = await service.get('/wallets', await service.asParticipant(id))
    const common = { participantId: id, routerData: { region: 'eu' } }
    expect(body).toEqual({
      data: [
        {
          ...common,
          address: own.address,
          blockchain: 'ethereum',
          walletId: own.walletId,
          accountId: omnibus,
          simulated: false,
        },
        {
          ...common,
          address: theirs.address,
          blockchain: 'polygon',
          walletId: theirs.walletId,
          accountId: customers,
          simulated: true,
        },
      ],
    })
  })

  test('accepts the participant of an API key', async () => {
    const { id } = await participant(null)
    peers.keys.set(createHash('sha256').update('sk_test_1').digest('hex'), id)
    const { data } = expectStatus(await service.get('/wallets', { 'x-api-key': 'sk_test_1' }), 200)
    expect(data).toHaveLength(2)
    expect(data[0]).not.toHaveProperty('routerData')
  })

  test('401 without a participant, or with an unknown key; 503 when it cannot be looked up', async () => {
    for (const headers of [{}, { 'x-api-key': 'sk_test_none' }, await service.as({ kind: 'user' })]) {
      expect(refused(await service.get('/wallets', headers), 401).code).toBe('UNAUTHORIZED')
    }
    peers.away.add('participant')
    refused(await service.get('/wallets', { 'x-api-key': 'sk_test_none' }), 503)
    peers.away.delete('participant')
  })

  test('warns while the blockchain service is unavailable', async () => {
    const { id } = await participant()
    peers.away.add('blockchain')
    const { data, warning } = expectStatus(await service.get('/wallets', await service.asParticipant(id)), 200)
    peers.away.delete('blockchain')
    expect(warning).toBe('The blockchain service is unavailable: only internal data is shown')
    expect(data).toHaveLength(2)
    expect(data[0]).not.toHaveProperty('simulated')
  })

  test('warns, and shows its own accounts’ wallets, while the participant service is unavailable', async () => {
    const { id, own } = await participant()
    peers.away.add('participant')
    const { data, warning } = expectStatus(await service.get('/wallets', await service.asParticipant(id)), 200)
    peers.away.delete('participant')
    expect(warning).toContain('The participant service is unavailable')
    expect(data.map(({ address }: { address: string }) => address)).toEqual([own.address])
  })

  test('is empty for a participant without wallets, and for one that was removed', async () => {
    expect((await service.get('/wallets', await service.asParticipant(Bun.randomUUIDv7()))).body).toEqual({ data: [] })
  })

  test('lists more accounts than a statement takes', async () => {
    const id = Bun.randomUUIDv7()
    const accountIds = Array.from({ length: 130 }, () => peers.account())
    peers.participants.set(id, { routerData: null, accountIds })
    for (const accountId of accountIds) await service.wallet(accountId, 'ethereum')
    const { data } = expectStatus(await service.get('/wallets', await service.asParticipant(id)), 200)
    expect(data.map(({ accountId }: { accountId: string }) => accountId)).toEqual(accountIds)
  })

  test('500 when the wallets cannot be read', async () => {
    const broken = await testWallets(peers)
    const headers = await broken.asParticipant(Bun.randomUUIDv7())
    await broken.close()
    expect(refused(await broken.get('/wallets', headers), 500)).toEqual({
      code: 'INTERNAL_ERROR',
      message: 'The wallets could not be retrieved',
    })
  })

  test('learns accounts from events, without a call', async () => {
    const id = Bun.randomUUIDv7()
    const omnibus = peers.account('OMNIBUS', { participantId: id })
    const record = peers.accounts.get(omnibus)
    if (!record) throw new Error('no account')
    await service.consume(delivered(AccountCreated.name, accountState(record.account, 2, id)))
    peers.accounts.delete(omnibus)
    await service.wallet(omnibus, 'ethereum')
    const { data } = expectStatus(await service.get('/wallets', await service.asParticipant(id)), 200)
    expect(data).toHaveLength(1)
  })
})
