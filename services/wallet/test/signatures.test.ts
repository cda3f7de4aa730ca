// Every signature is kept, and no second one is given that could be mined besides an earlier one.
import { describe, expect, test } from 'bun:test'
import { mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { signatures } from '../src/orders/signatures.table'
import { runFileName } from '../src/restore/run-file'
import { expectStatus, hot, refused } from './harness'
import { txHash as anyHash, moveSend, state } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, evmToSign, handedOver, handedOverOnEvm, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { restart } = ownWallets((own) => {
  ;({ peers, service } = own)
})

const kept = async (id: string) =>
  (await service.deps.store.read.select().from(signatures)).filter(({ orderId }) => orderId === id)
const waitsFor = async (id: string) => expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200).waitsFor

describe('a signature is stored', () => {
  test('by its unique properties on EVM, with its hash, once for any number of requests', async () => {
    const id = await handedOverOnEvm(service, peers)
    const first = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    expect(expectStatus(await sign(service, evmToSign(id, 7)), 200)).toEqual(first)
    expect(await kept(id)).toEqual([
      {
        orderId: id,
        number: 0,
        network: 'ethereum',
        sender: hot.evm,
        nonce: 7,
        blockhash: null,
        txHash: first.txHash,
        signedAt: expect.any(Date),
      },
    ])
  })

  test('with the hash that a simulated chain has of it', async () => {
    const id = await handedOver(service, peers)
    const body = toSign(peers, id, 3)
    expectStatus(await sign(service, body), 200)
    expect(await kept(id)).toMatchObject([{ nonce: 3, blockhash: null, txHash: chainHash(body) }])
  })

  test('the blockchain service can read the order of a signature; null if there is none', async () => {
    const id = await handedOver(service, peers)
    const body = toSign(peers, id, 3)
    expectStatus(await sign(service, body), 200)
    const { accountId } = expectStatus(await service.get(`/wallets/withdrawals/${id}`), 200)
    const asked = [chainHash(body), anyHash()].map((txHash) => ({ network: 'polygon', txHash }))
    const answer = await service.post('/internal/signatures/orders', { items: asked }, service.chain)
    const order = { id, kind: 'withdrawal', accountId, payer: body.signers.at(-1), contractAddress: null }
    expect(expectStatus(answer, 200)).toEqual({ items: [{ order }, { order: null }] })
  })

  test('in the run file before it leaves; if the file cannot be written, nothing leaves', async () => {
    const id = await handedOver(service, peers)
    const draft = join(service.dataDir, `${runFileName}.new`)
    mkdirSync(draft)
    expect((await sign(service, toSign(peers, id))).status).toBeGreaterThanOrEqual(500)
    rmdirSync(draft)
    expectStatus(await sign(service, toSign(peers, id)), 200)
    const { signed } = JSON.parse(readFileSync(join(service.dataDir, runFileName), 'utf8'))
    expect(signed).toMatchObject([{ orderId: id, txHash: chainHash(toSign(peers, id)), nonce: 0 }])
  })
})

test('a signature that is given while the hold after a restore ends stays in the run file', async () => {
  const id = await handedOver(service, peers)
  const { store, restoreGuard } = service.deps
  const { commit } = store
  store.commit = async (body, keys, options) => {
    store.commit = commit
    const ended = await commit(body, keys, options)
    // The hold has ended, and the file does not say so yet.
    expectStatus(await sign(service, toSign(peers, id)), 200)
    return ended
  }
  await restoreGuard.release()
  const { signed } = JSON.parse(readFileSync(join(service.dataDir, runFileName), 'utf8'))
  expect(signed).toMatchObject([{ orderId: id, txHash: chainHash(toSign(peers, id)) }])
})

describe('a second signature of an order', () => {
  test('with the same nonce is a raised fee, and needs no query', async () => {
    const id = await handedOverOnEvm(service, peers)
    expectStatus(await sign(service, evmToSign(id, 7)), 200)
    expectStatus(await sign(service, evmToSign(id, 7, 60n)), 200)
    expect(await kept(id)).toHaveLength(2)
    expect(peers.fatesAsked).toEqual([])
  })

  test('with another nonce waits while the first one may be mined, or its fate is unknown; the order has the reason', async () => {
    const id = await handedOverOnEvm(service, peers)
    const { txHash } = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    expect(refused(await sign(service, evmToSign(id, 8)), 409).message).toContain(`${txHash} may still be mined`)
    expect(await waitsFor(id)).toContain('may still be mined')
    expect(peers.fatesAsked).toEqual([{ network: 'ethereum', txHash, sender: hot.evm, nonce: 7, blockhash: null }])
    peers.fates.set(txHash, null)
    expect(refused(await sign(service, evmToSign(id, 8)), 409).message).toContain('cannot be asked')
    peers.away.add('blockchain')
    refused(await sign(service, evmToSign(id, 8)), 503)
    expect(await kept(id)).toHaveLength(1)
  })

  test.each(['final', 'reverted'] as const)(
    'is given where the nonce of the first one was taken by another order’s, which is %s: the node may not show that',
    async (fate) => {
      const [id, other] = [await handedOverOnEvm(service, peers), await handedOverOnEvm(service, peers)]
      expectStatus(await sign(service, evmToSign(id, 7)), 200)
      const rival = expectStatus(await sign(service, evmToSign(other, 7, 60n)), 200)
      refused(await sign(service, evmToSign(id, 8)), 409)
      peers.fates.set(rival.txHash, fate)
      expectStatus(await sign(service, evmToSign(id, 8)), 200)
      expect(await kept(id)).toHaveLength(2)
    },
  )

  test('is not issued because an order with another nonce was paid', async () => {
    const [id, other] = [await handedOverOnEvm(service, peers), await handedOverOnEvm(service, peers)]
    expectStatus(await sign(service, evmToSign(id, 7)), 200)
    const paid = expectStatus(await sign(service, evmToSign(other, 6)), 200)
    peers.fates.set(paid.txHash, 'final')
    refused(await sign(service, evmToSign(id, 8)), 409)
  })

  test('is issued once every earlier one is dead', async () => {
    const id = await handedOverOnEvm(service, peers)
    const first = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    peers.fates.set(first.txHash, 'dead')
    const second = expectStatus(await sign(service, evmToSign(id, 9)), 200)
    peers.fates.set(second.txHash, 'open')
    refused(await sign(service, evmToSign(id, 10)), 409)
    peers.fates.set(second.txHash, 'dead')
    expectStatus(await sign(service, evmToSign(id, 10)), 200)
    expect((await kept(id)).map(({ number, nonce }) => [number, nonce])).toEqual([
      [0, 7],
      [1, 9],
      [2, 10],
    ])
  })

  test('of another transaction on a simulated network counts as another nonce', async () => {
    const id = await handedOver(service, peers)
    const first = toSign(peers, id, 3)
    expectStatus(await sign(service, first), 200)
    refused(await sign(service, toSign(peers, id, 4)), 409)
    const alike = { ...first, unsigned: JSON.stringify({ ...JSON.parse(first.unsigned), memo: 'x' }) }
    refused(await sign(service, alike), 409)
    peers.fates.set(chainHash(first), 'dead')
    expectStatus(await sign(service, toSign(peers, id, 4)), 200)
  })

  test('is never issued when the first one is final: the order is confirmed by it', async () => {
    const id = await handedOverOnEvm(service, peers)
    const { txHash } = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    peers.fates.set(txHash, 'final')
    expect(refused(await sign(service, evmToSign(id, 8)), 422).message).toContain(`confirmed by ${txHash}`)
    expect(await state(service, id)).toEqual({ id, status: 'confirmed', txHash, reason: null })
    // What the blockchain service makes of the refusal changes nothing.
    await moveSend(service, peers, { id, status: 'failed', reason: 'The wallet service refused' })
    expect((await state(service, id)).status).toBe('confirmed')
  })

  test('is never issued when the first one was reverted: the order has failed, with the reason', async () => {
    const id = await handedOverOnEvm(service, peers)
    const { txHash } = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    peers.fates.set(txHash, 'reverted')
    refused(await sign(service, evmToSign(id, 8)), 422)
    expect(await state(service, id)).toEqual({ id, status: 'failed', txHash, reason: 'execution reverted: paused' })
  })

  test('with one final and one open signature the order is paid', async () => {
    const id = await handedOverOnEvm(service, peers)
    const first = expectStatus(await sign(service, evmToSign(id, 7)), 200)
    peers.fates.set(first.txHash, 'dead')
    const second = expectStatus(await sign(service, evmToSign(id, 8)), 200)
    // A reorganisation: what was dead is final after all.
    peers.fates.set(first.txHash, 'final')
    peers.fates.set(second.txHash, 'open')
    refused(await sign(service, evmToSign(id, 9)), 422)
    expect(await state(service, id)).toMatchObject({ status: 'confirmed', txHash: first.txHash })
  })

  test('that is requested concurrently with another nonce: one of them is issued', async () => {
    for (let round = 0; round < 5; round++) {
      const id = await handedOverOnEvm(service, peers)
      const answers = await Promise.all(
        [7, 8, 9].map((nonce) => sign(service, evmToSign(id, nonce + 100 - 10 * round))),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409])
      expect(await kept(id)).toHaveLength(1)
    }
  })

  test('is checked again after a restart', async () => {
    const id = await handedOverOnEvm(service, peers)
    expectStatus(await sign(service, evmToSign(id, 7)), 200)
    await restart()
    refused(await sign(service, evmToSign(id, 8)), 409)
    await moveSend(service, peers, { id, status: 'confirmed', txHash: anyHash() })
    expect(refused(await sign(service, evmToSign(id, 8)), 422).message).toContain('has ended')
  })
})
