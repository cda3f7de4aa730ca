// An order that the blockchain service does not know any more is settled by the fates of its signatures.
import { describe, expect, test } from 'bun:test'
import { eq } from '@bursar/store'
import { signatures } from '../src/orders/signatures.table'
import { expectStatus, refused } from './harness'
import { fundedAccount, order, start, state } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { held, restored, settle, waiting } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const minute = 61_000

describe('the blockchain service has lost an order', () => {
  async function lost(fate?: 'final' | 'reverted' | 'dead' | 'open' | null) {
    const { accountId, address } = await fundedAccount(service, peers)
    const { id } = await start(service, order({ accountId }))
    await service.drive()
    const first = toSign(peers, id, 0)
    const second = toSign(peers, id, 1)
    expectStatus(await sign(service, first), 200)
    const txHash = chainHash(first)
    if (fate !== undefined) peers.fates.set(txHash, fate)
    peers.sends.clear()
    await service.drive(minute)
    return { id, txHash, second, address }
  }

  test('that is paid: it is confirmed', async () => {
    const { id, txHash } = await lost('final')
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash, reason: null })
    expect(await held()).toEqual([])
  })

  test('that was reverted: it has failed', async () => {
    const { id, txHash } = await lost('reverted')
    expect(await state(service, id)).toEqual({ id, status: 'failed', txHash, reason: 'execution reverted: paused' })
  })

  test('whose signatures are dead: it is sent again, signed again, and continues', async () => {
    const { id, second } = await lost('dead')
    expect(peers.sends.has(id)).toBe(true)
    expectStatus(await sign(service, second), 200)
  })

  test.each(['open', null] as const)(
    'whose fate is %s: it waits, is listed, and the service is degraded',
    async (fate) => {
      const { id, txHash, second } = await lost(fate)
      expect(peers.sends.has(id)).toBe(false)
      expect(await held()).toMatchObject([{ id, why: 'lost', signed: [txHash] }])
      const report = await service.deps.health.read()
      expect(report).toMatchObject({ healthy: true })
      expect(service.deps.health.body(report).status).toBe('degraded')
      expect(expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200).waitsFor).toContain('wallet:held')
      // Released it is handed over again, and signed anew only once the first signature is dead.
      expectStatus(await settle(id, 'release'), 200)
      await service.drive(2 * minute)
      expect(peers.sends.has(id)).toBe(true)
      refused(await sign(service, second), 409)
      peers.fates.set(txHash, 'dead')
      expectStatus(await sign(service, second), 200)
      expect(await held()).toEqual([])
      expect(await waiting()).toEqual([])
    },
  )

  test('while it waits the log says so once, and again when the reason is another', async () => {
    const reasons: string[] = []
    service.deps.log.error = (fields) => void reasons.push((fields as { reason: string }).reason)
    const { id } = await lost('open')
    for (const minutes of [2, 4, 6]) await service.drive(minutes * minute)
    expect(reasons).toEqual([expect.stringContaining('has lost this order')])
    await service.deps.store.commit(async (tx) => void (await tx.delete(signatures).where(eq(signatures.orderId, id))))
    for (const minutes of [8, 10]) await service.drive(minutes * minute)
    expect(reasons).toEqual([expect.anything(), expect.stringContaining('its signatures were not kept')])
  })

  test('whose signatures were not kept: it waits, for what was signed may be mined', async () => {
    const { id } = await lost('open')
    await service.deps.store.commit(async (tx) => void (await tx.delete(signatures).where(eq(signatures.orderId, id))))
    await service.drive(3 * minute)
    expect(peers.sends.has(id)).toBe(false)
    expect(await held()).toMatchObject([{ id, why: 'lost', signed: [] }])
    expect((await held())[0]?.waitsFor).toContain('its signatures were not kept')
  })

  test('and knows it again: it no longer waits', async () => {
    const { id, txHash } = await lost('open')
    expect(await held()).toHaveLength(1)
    const send = { id, network: 'polygon' } as never
    peers.sends.set(id, { order: send, state: { id, status: 'broadcast', txHash, reason: null } })
    await service.drive(3 * minute)
    expect(await held()).toEqual([])
    expect(await state(service, id)).toMatchObject({ status: 'broadcast', txHash })
  })

  test('while the chain is unavailable: the query is retried', async () => {
    const { id, txHash } = await lost(null)
    peers.fates.set(txHash, 'final')
    await service.drive(3 * minute)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash })
  })
})

test('an order that is released while an attempt at it is under way waits no more', async () => {
  const { accountId } = await fundedAccount(service, peers)
  const { id } = await start(service, order({ accountId, wasAccepted: true }))
  let released: Promise<unknown> | null = null
  peers.fault(async (_, usual) => {
    const answer = await usual()
    // The blockchain service does not know it; its answer is on the way.
    released ??= settle(id, 'release')
    await released
    return answer
  })
  await service.drive()
  expect(released).not.toBeNull()
  expect(await held()).toEqual([])
  await service.drive(minute)
  expect(peers.sends.has(id)).toBe(true)
  expect(await waiting()).toEqual([])
})

test('an order from before a restore that is released while an attempt at it is under way waits for no operator', async () => {
  const { id } = await start(service, order({ accountId: peers.account() }))
  await restored()
  let released: Promise<unknown> | null = null
  peers.fault(async (request, usual) => {
    const answer = await usual()
    if (request.url.includes('/internal/sends')) released ??= settle(id, 'release')
    await released
    return answer
  })
  await service.drive()
  expect(released).not.toBeNull()
  expect(await state(service, id)).toEqual({
    id,
    status: 'accepted',
    txHash: null,
    reason: null,
    waitsFor: 'No address was found that can pay it: top up the account’s wallet or the deployment’s own address',
  })
})
