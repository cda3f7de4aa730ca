// A portfolio's execution from before a restore is handed over and signed by nobody but an operator's word, and once.
import { afterEach, expect, mock, spyOn, test } from 'bun:test'
import { ExecutionChanged } from '@bursar/contracts/wallet'
import { until } from '@bursar/testing'
import { orders } from '../src/orders/orders.table'
import { expectStatus, refused } from './harness'
import { moveSend, stranger } from './orders'
import { type Own, ownWallets } from './own-wallets'
import { chainHash, sign, toSign } from './signing'

let peers: Own['peers']
let service: Own['service']
const { backup, held, restore, restored, settle } = ownWallets((own) => {
  ;({ peers, service } = own)
})
afterEach(() => mock.restore())

const minute = 61_000

/** Each look at the clock finds a second gone: waiting for seconds is a few looks. */
function hurryTheClock() {
  const now = performance.now.bind(performance)
  let looks = 0
  spyOn(performance, 'now').mockImplementation(() => now() + 1000 * looks++)
}

/** One that is ordered; the answer is not waited for. */
async function ordered(): Promise<string> {
  const accountId = peers.account('PORTFOLIO')
  await service.wallet(accountId, 'polygon')
  hurryTheClock()
  const body = { accountId, chainId: 137, transactionData: { to: stranger, value: '0x10' } }
  refused(await service.post('/internal/portfolio/execute', body, service.ledger), 504)
  mock.restore()
  const rows = await service.deps.store.read.select().from(orders).orderBy(orders.createdAt)
  return rows.at(-1)?.id ?? ''
}

test('not sent before: it waits, is listed, and continues once it is released', async () => {
  peers.fault((request) => (request.url.includes('/internal/sends') ? new Response('', { status: 503 }) : undefined))
  const id = await ordered()
  peers.fault(null)
  await restored()
  for (let ahead = 0; ahead < 4; ahead++) await service.drive(ahead * minute)
  expect(peers.sends.size).toBe(0)
  expect(await held()).toMatchObject([{ id, why: 'restored', signed: [] }])
  expectStatus(await settle(id, 'release'), 200)
  await service.drive(5 * minute)
  expectStatus(await sign(service, toSign(peers, id)), 200)
  expect(peers.ledger.executions.map((each) => each.id)).toEqual([id])
  expect(await held()).toEqual([])
})

test('sent before: it is not signed while it waits, and follows the blockchain service', async () => {
  const id = await ordered()
  await restored()
  refused(await sign(service, toSign(peers, id)), 409)
  expect(peers.ledger.executions).toEqual([])
  await moveSend(service, peers, { id, status: 'confirmed', txHash: chainHash(toSign(peers, id)) })
  const last = (await service.eventsNamed(ExecutionChanged.name)).at(-1)
  expect(last?.data).toMatchObject({ id, status: 'confirmed', txHash: chainHash(toSign(peers, id)) })
  expect(await held()).toEqual([])
})

test('signed before: after its release it is signed again only once its first signature is dead', async () => {
  const id = await ordered()
  expectStatus(await sign(service, toSign(peers, id, 0)), 200)
  await restored()
  expect(await held()).toMatchObject([{ id, why: 'restored', signed: [chainHash(toSign(peers, id, 0))] }])
  expectStatus(await settle(id, 'release'), 200)
  refused(await sign(service, toSign(peers, id, 1)), 409)
  peers.fates.set(chainHash(toSign(peers, id, 0)), 'dead')
  expectStatus(await sign(service, toSign(peers, id, 1)), 200)
})

test('an operator cannot fail one, since the ledger does not know it: it is released or settled', async () => {
  const id = await ordered()
  await restored()
  expect(refused(await settle(id, 'fail'), 409).message).toContain('release')
})

test('restored to before it was ordered, and repeated under its key: it is the same one, and is sent once', async () => {
  const accountId = peers.account('PORTFOLIO')
  await service.wallet(accountId, 'polygon')
  const kept = await backup()
  const body = { accountId, chainId: 137, transactionData: { to: stranger, value: '0x10' } }
  const execute = () =>
    service.post('/internal/portfolio/execute', body, { ...service.ledger, 'idempotency-key': 'one' })
  // It waits for some seconds: they do not pass here.
  spyOn(performance, 'now').mockReturnValue(performance.now())
  const first = execute()
  const id = await until(() => [...peers.sends.keys()][0])
  const txHash = chainHash(toSign(peers, id))
  await moveSend(service, peers, { id, status: 'confirmed', txHash })
  expect(expectStatus(await first, 200)).toEqual({ transactionId: id, txHash })
  mock.restore()
  await restore(kept)
  expect(expectStatus(await execute(), 200)).toEqual({ transactionId: id, txHash })
  expect([...peers.sends.keys()]).toEqual([id])
})
