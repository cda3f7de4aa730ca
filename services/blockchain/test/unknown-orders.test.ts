// The wallet service was restored: it does not know an order that this service has taken.
import { afterEach, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { startSending } from '../src/sends/sending'
import { findSend, recordLost } from '../src/sends/sends'
import { unknownLooks } from '../src/sends/unknown-orders'
import { bob, hot, type TestBlockchain, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})
const unknown = () => {
  throw refusal(404, 'No order of the id is known')
}

async function begin() {
  const wallet = testWallet(unknown)
  const own = await testBlockchain({ wallet, workers: false })
  ends.push(() => own.stop())
  await own.payIn(hot, '10')
  /** Works on the sends while the hours fly. */
  const run = (service: TestBlockchain = own) => {
    const start = Date.now()
    const clock = () => new Date(start + (Date.now() - start) * 60)
    const sending = startSending({ ...service.deps, clock })
    ends.push(() => sending.stop())
    return sending
  }
  const detail = async (id: string) => (await own.get(`/sends/${id}`)).body
  return { own, wallet, run, detail }
}

test('an execution has failed: nobody orders it anew', async () => {
  const { own, wallet, run } = await begin()
  const { id } = await own.send({ transactionData: { to: bob, value: '1' }, amount: '1' })
  run()
  expect((await own.reached(id, 'failed')).reason).toBe(
    'The wallet service has no such order, and nothing was signed for it: No order of the id is known',
  )
  expect(wallet.signed).toHaveLength(1)
})

test('a withdrawal waits with the reason, for the ledger orders it anew, and is paid then', async () => {
  const { own, wallet, run, detail } = await begin()
  const { id } = await own.send({})
  run()
  await until(async () => (await detail(id)).failures > 2)
  expect(await detail(id)).toMatchObject({
    status: 'accepted',
    lastError: 'The wallet service has no such order: No order of the id is known',
  })
  wallet.sign = signSimulated
  await own.reached(id, 'confirmed')
})

test('a withdrawal that nobody orders anew has failed in the end: nothing was ever signed for it', async () => {
  const { own, wallet, run } = await begin()
  const { id } = await own.send({})
  run()
  expect((await own.reached(id, 'failed')).reason).toBe(
    'The wallet service has no such order, and nothing was signed for it: No order of the id is known',
  )
  expect(wallet.signed).toHaveLength(unknownLooks)
  wallet.sign = signSimulated
  expect((await own.internal('POST', '/sends', { ...(await own.send({})), id })).status).not.toBe(201)
  expect((await own.internal('GET', `/sends/${id}`)).body.status).toBe('failed')
})

test('a wallet service that is unavailable, however long, is no such answer', async () => {
  const { own, wallet, run, detail } = await begin()
  wallet.sign = () => {
    throw refusal(503, 'not now')
  }
  const { id } = await own.send({})
  run()
  await until(async () => (await detail(id)).failures > unknownLooks + 2)
  const before = wallet.signed.length
  wallet.sign = unknown
  await until(() => wallet.signed.length > before + 3)
  expect((await detail(id)).status).toBe('accepted')
  wallet.sign = signSimulated
  await own.reached(id, 'confirmed')
})

test('what was signed and can never be mined is no hindrance; what may be mined waits, listed with its hashes', async () => {
  const { own, wallet, run, detail } = await begin()
  const chain = await own.deps.networks.open('ethereum')
  const { broadcast } = chain.sending
  chain.sending.broadcast = async () => {}
  wallet.sign = signSimulated
  const { id } = await own.send({})
  const sending = run()
  const { txHash } = await own.reached(id, 'broadcast')
  wallet.sign = unknown
  const { body } = await own.get('/sends')
  expect(body).toMatchObject([{ id, status: 'broadcast', txHash }])
  expect((await detail(id)).transactions).toMatchObject([{ txHash, lostAt: null }])
  await sending.stop()
  const row = await findSend(own.deps.store.read, id)
  if (!row) throw new Error('no send')
  await own.deps.store.commit((tx) => recordLost(tx, row, new Date()))
  chain.sending.broadcast = broadcast
  run()
  expect((await own.reached(id, 'failed')).reason).toBe(
    'The wallet service has no such order, and nothing that was signed for it can be mined: No order of the id is known',
  )
})
