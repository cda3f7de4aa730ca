import { describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { mine } from '../src/networks/simulated/mining'
import { senderQueue } from '../src/sends/queue'
import { startSending } from '../src/sends/sending'
import { hot, testBlockchain } from './harness'
import { refusal, signSimulated, testWallet } from './wallet'

describe.each([
  ['a year', 365 * 24 * 3_600_000],
  ['almost an hour', 3_500_000],
])('a clock that was %s ahead', (_what, byMs) => {
  const ahead = () => new Date(Date.now() + byMs)

  test('puts nothing off for as long: neither what waits nor what is on its way', async () => {
    const wallet = testWallet(() => {
      throw refusal(503, 'not now')
    })
    const own = await testBlockchain({ wallet, workers: false, env: { SIMULATED_CONFIRMATIONS: '2' } })
    await own.payIn(hot, '10')
    await own.payIn('me', '1', 'TESTNET', 'testnet')
    const ids = [(await own.send({})).id, (await own.send({ network: 'testnet', from: 'me', to: 'you' })).id]
    const detail = async (id: string) => (await own.get(`/sends/${id}`)).body
    const wrong = startSending({ ...own.deps, clock: ahead })
    for (const id of ids) await until(async () => (await detail(id)).failures > 0)
    await wrong.stop()
    for (const id of ids) expect(Date.parse((await detail(id)).nextAttemptAt)).toBeGreaterThan(Date.now() + byMs / 2)
    wallet.sign = signSimulated
    const right = startSending(own.deps)
    for (const id of ids) await own.reached(id, 'broadcast')
    await right.stop()
    // Once more, for what is on its way.
    const again = startSending({ ...own.deps, clock: ahead })
    for (const id of ids) await until(async () => Date.parse((await detail(id)).nextAttemptAt) > Date.now() + byMs / 2)
    await again.stop()
    await mine(own.deps)
    const last = startSending(own.deps)
    for (const id of ids) await own.reached(id, 'confirmed')
    await last.stop()
    await own.stop()
  })

  test('leaves no lease for as long', async () => {
    const own = await testBlockchain({ workers: false })
    await own.payIn(hot, '1')
    const { id } = await own.send({})
    expect(await senderQueue.claim(own.deps.store, { now: ahead(), limit: 1 })).toHaveLength(1)
    const sending = startSending(own.deps)
    await own.reached(id, 'confirmed')
    await sending.stop()
    await own.stop()
  })
})
