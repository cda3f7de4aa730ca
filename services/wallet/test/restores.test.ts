// A service whose database was set back pays nothing twice, and nothing stays without a way out.
import { describe, expect, test } from 'bun:test'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { signatures } from '../src/orders/signatures.table'
import { expectStatus, refused } from './harness'
import { fundedAccount, moveSend, order, start, state, stranger } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { backup, held, restore, restored, settle, waiting } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const minute = 61_000
/** The life of an order up to its end, with a backup of the wallet's database before each step. */
async function live() {
  const { accountId, address } = await fundedAccount(service, peers)
  const body = order({ accountId })
  const { id } = body
  const steps = [
    () => start(service, body),
    () => service.drive(),
    async () => void expectStatus(await sign(service, toSign(peers, id, 0)), 200),
    async () => await moveSend(service, peers, { id, status: 'broadcast', txHash: chainHash(toSign(peers, id, 0)) }),
    async () => await moveSend(service, peers, { id, status: 'confirmed' }),
  ]
  const backups: string[] = []
  for (const step of steps) {
    backups.push(await backup())
    await step()
  }
  const txHash = chainHash(toSign(peers, id, 0))
  peers.fates.set(txHash, 'final')
  peers.transactions.set(txHash, { from: [address], to: [stranger], transfers: [] })
  return { body, id, txHash, toSign: (nonce: number) => toSign(peers, id, nonce), backups }
}
const points = ['before it was ordered', 'before it was handed over', 'before it was signed', 'signed', 'broadcast']

describe('only the wallet service is restored', () => {
  test.each(points.map((point, i) => [point, i] as const))(
    'to %s: the order that was paid is confirmed by its hash, and never signed anew',
    async (_, i) => {
      const { body, id, txHash, toSign: unsigned, backups } = await live()
      await restore(backups[i] ?? '')
      // The ledger orders it again, and the blockchain service asks for nothing; a second one would not be signed.
      await start(service, body)
      await service.drive()
      const second = await sign(service, unsigned(1))
      expect([409, 422]).toContain(second.status)
      if ((await held()).some((each) => each.id === id)) {
        expect(await waiting()).toEqual([expect.stringContaining('bun run wallet:held')])
        expectStatus(await settle(id, 'release'), 200)
      }
      await service.drive(minute)
      await service.drive(3 * minute)
      expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash, reason: null })
      expect(await held()).toEqual([])
      expect(await waiting()).toEqual([])
      expect(peers.sends.size).toBe(1)
    },
  )

  test.each(points.map((point, i) => [point, i] as const))(
    'to %s, and the blockchain service to before the order: whatever an operator says, it is paid once',
    async (_, i) => {
      const { body, id, txHash, toSign: unsigned, backups } = await live()
      const second = unsigned(1)
      peers.sends.clear()
      await restore(backups[i] ?? '')
      await start(service, body)
      await service.drive()
      await settle(id, 'release')
      for (let ahead = 1; ahead <= 4; ahead++) await service.drive(ahead * minute)
      // It may have been handed over again: what is asked to be signed then is refused, and the order ends.
      const answer = await sign(service, second)
      expect(answer.status).not.toBe(200)
      await service.drive(6 * minute)
      await sign(service, second)
      expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
      expect((await service.deps.store.read.select().from(signatures)).map((each) => each.txHash)).toEqual([txHash])
    },
  )

  test('to before a second signature: the run file brings it back, and older orders wait', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    expectStatus(await sign(service, toSign(peers, id, 0)), 200)
    const earlier = await backup()
    peers.fates.set(chainHash(toSign(peers, id, 0)), 'dead')
    expectStatus(await sign(service, toSign(peers, id, 1)), 200)
    await restore(earlier)
    expect((await held()).map(({ id, why, signed }) => ({ id, why, signed }))).toEqual([
      { id, why: 'restored', signed: [0, 1].map((nonce) => chainHash(toSign(peers, id, nonce))) },
    ])
    refused(await sign(service, toSign(peers, id, 2)), 409)
    expectStatus(await settle(id, 'release'), 200)
    refused(await sign(service, toSign(peers, id, 2)), 409)
    peers.fates.set(chainHash(toSign(peers, id, 1)), 'dead')
    expectStatus(await sign(service, toSign(peers, id, 2)), 200)
  })

  test('an order whose signature alone is left is not refused, also when an operator has ended the waiting', async () => {
    const { id, backups } = await live()
    await restore(backups[0] ?? '')
    expectStatus(await service.post('/internal/held-orders/end', {}, service.operator), 200)
    refused(await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'x' }, service.ledger), 409)
  })

  test('twice: what was signed before the first restore is known after the second', async () => {
    const { id, txHash, backups } = await live()
    await restore(backups[0] ?? '')
    const other = order({ accountId: (await fundedAccount(service, peers)).accountId })
    await start(service, other)
    await service.drive()
    expectStatus(await sign(service, toSign(peers, other.id)), 200)
    await restore(backups[0] ?? '')
    const known = await service.deps.store.read.select().from(signatures)
    const both = [
      [id, txHash],
      [other.id, chainHash(toSign(peers, other.id))],
    ]
    expect(known.map((each) => [each.orderId, each.txHash]).sort()).toEqual(both.sort())
  })

  test('orders that the blockchain service had accepted are read there, and end without an operator', async () => {
    const { id, txHash, backups } = await live()
    rmSync(join(service.dataDir, 'wallet.run'))
    await restore(backups[3] ?? '')
    expect((await held()).map(({ why }) => why)).toEqual(['restored'])
    await service.drive(minute)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
    expect(await held()).toEqual([])
  })

  test('only an operator releases orders that it had not accepted', async () => {
    const { id, backups } = await live()
    peers.sends.clear()
    rmSync(join(service.dataDir, 'wallet.run'))
    await restore(backups[1] ?? '')
    for (let ahead = 0; ahead < 4; ahead++) await service.drive(ahead * minute)
    expect(peers.sends.size).toBe(0)
    expectStatus(await settle(id, 'release'), 200)
    await service.drive(4 * minute)
    expect(peers.sends.has(id)).toBe(true)
  })

  test.each([
    ['ends the waiting', () => service.post('/internal/held-orders/end', {}, service.operator)],
    ['releases it', (id: string) => settle(id, 'release')],
  ])('what waited goes on at once when an operator %s, not at the end of its pause', async (_, act) => {
    const { id, backups } = await live()
    peers.sends.clear()
    rmSync(join(service.dataDir, 'wallet.run'))
    await restore(backups[1] ?? '')
    await service.drive()
    expectStatus(await act(id), 200)
    await service.drive()
    expect(peers.sends.has(id)).toBe(true)
  })

  test('no order from before is recorded as refused: it may have been paid', async () => {
    const { id, txHash, backups } = await live()
    for (const backup of backups.slice(0, 3)) {
      await restore(backup)
      const answer = await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'x' }, service.ledger)
      expect(answer.status === 409 || answer.body.status !== 'failed').toBe(true)
    }
    expect(peers.fates.get(txHash)).toBe('final')
  })

  test('a held order is not signed, whatever the blockchain service requests', async () => {
    const { accountId } = await fundedAccount(service, peers)
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    await restored()
    expect(refused(await sign(service, toSign(peers, id, 0)), 409).message).toContain('from before a restore')
    expect(await service.deps.store.read.select().from(signatures)).toEqual([])
  })
})

describe('the ledger orders again what the wallet service had accepted and has lost', () => {
  /** Set back with its whole folder: nothing shows that it was. */
  async function forgotten({ isKnown = false, hasRunFile = false } = {}) {
    const { body, id, txHash, toSign, backups } = await live()
    const empty = backups[0] ?? ''
    const second = toSign(1)
    if (!isKnown) peers.sends.clear()
    if (!hasRunFile) {
      const { line } = JSON.parse(await Bun.file(join(service.dataDir, 'wallet.run')).text())
      await Bun.write(join(empty, 'wallet.run'), JSON.stringify({ line, signed: [] }))
    }
    await restore(empty)
    return { body: { ...body, wasAccepted: true }, id, txHash, second }
  }
  test('the blockchain service knows it: it follows that state', async () => {
    const { body, id, txHash } = await forgotten({ isKnown: true })
    await start(service, body)
    await service.drive()
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash, reason: null })
    expect(peers.sends.size).toBe(1)
  })

  test('nobody knows it: it waits for an operator, is listed, and is neither sent nor signed', async () => {
    const { body, id, second } = await forgotten()
    expect((await start(service, body)).waitsFor).toContain('wallet:held')
    for (let ahead = 0; ahead < 4; ahead++) await service.drive(ahead * minute)
    expect(peers.sends.size).toBe(0)
    expect(refused(await sign(service, second), 409).message).toContain('wallet:held')
    expect(await held()).toMatchObject([{ id, why: 'restored', signed: [] }])
    expect(await waiting()).toEqual([expect.stringContaining('bun run wallet:held')])
    expect(await state(service, id)).toMatchObject({
      status: 'accepted',
      waitsFor: expect.stringContaining('may have'),
    })
    const refusal = await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'x' }, service.ledger)
    expect(refused(refusal, 409).message).toContain('wallet:held')
    expectStatus(await settle(id, 'release'), 200)
    await service.drive(5 * minute)
    expect(peers.sends.has(id)).toBe(true)
    expect(await held()).toEqual([])
    expect(await state(service, id)).toEqual({ id, status: 'accepted', txHash: null, reason: null })
  })

  test('an operator who finds it paid settles it by its hash', async () => {
    const { body, id, txHash } = await forgotten()
    await start(service, body)
    await service.drive()
    expectStatus(await service.post(`/internal/held-orders/${id}/paid`, { txHash }, service.operator), 200)
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash, reason: null })
  })

  test('a signature in the run file proves that it was paid', async () => {
    const { body, id, txHash, second } = await forgotten({ hasRunFile: true })
    await start(service, body)
    await service.drive()
    await service.drive(minute)
    expect([await state(service, id), (await held()).length]).toMatchObject([{ status: 'accepted' }, 1])
    expectStatus(await settle(id, 'release'), 200)
    await service.drive(2 * minute)
    await sign(service, second)
    await sign(service, second)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
  })

  test('no tombstone for it, known or not: the chain was not checked', async () => {
    const { id } = await forgotten()
    const body = { reason: 'x', wasAccepted: true }
    const answer = await service.post(`/internal/withdrawals/${id}/refuse`, body, service.ledger)
    expect(refused(answer, 409).message).toContain('wallet:held')
    expect((await service.get(`/internal/withdrawals/${id}`, service.ledger)).status).toBe(404)
    expectStatus(await service.post(`/internal/withdrawals/${id}/refuse`, { reason: 'x' }, service.ledger), 200)
  })

  test('known there, while no address can pay it now: its state is still read', async () => {
    const { body, id, txHash } = await forgotten({ isKnown: true })
    const send = peers.sends.get(id)
    if (!send) throw new Error('No send')
    send.state = { ...send.state, status: 'accepted', txHash: null }
    peers.holdings.clear()
    await start(service, body)
    await service.drive()
    await service.drive(minute)
    send.state = { ...send.state, status: 'confirmed', txHash }
    await service.drive(3 * minute)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
  })
})
