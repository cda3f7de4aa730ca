// A transaction that is signed, and that the nodes do not take: whoever operates sees it all along.
import { afterEach, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { startSending } from '../src/sends/sending'
import { findSend } from '../src/sends/sends'
import type { SendRow } from '../src/sends/sends.table'
import { hot, newSend, testBlockchain } from './harness'
import { refusal, testWallet } from './wallet'

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** A send that is in no block, on a network whose nodes do not take it. */
async function begin() {
  const own = await testBlockchain({ wallet: testWallet(), workers: false })
  ends.push(() => own.stop())
  await own.payIn(hot, '10')
  const chain = await own.deps.networks.open('ethereum')
  const { id } = newSend()
  const row = async () => (await findSend(own.deps.store.read, id)) as SendRow
  const seen: SendRow[] = []
  const refuses = async () => {
    seen.push(await row())
    throw new Error('No node answered in time')
  }
  chain.sending.broadcast = refuses
  await own.internal('POST', '/sends', newSend({ id, from: hot }))
  const sending = startSending(own.deps)
  ends.push(() => sending.stop())
  return { own, chain, row, seen }
}

test('its failures are counted from pass to pass, also while the nodes are asked once more, until they take it', async () => {
  const { chain, row, seen } = await begin()
  await until(() => seen.length > 5)
  // The first is that of the pass which signed it, the second finds it signed.
  expect(seen.slice(2, 6).map(({ failures, lastError }) => [failures, lastError])).toEqual(
    [1, 2, 3, 4].map((failures) => [failures, 'No node answered in time']),
  )
  chain.sending.broadcast = async () => {}
  await until(async () => (await row()).lastError === null)
  expect(await row()).toMatchObject({ status: 'broadcast', failures: 0 })
})

test('once it is in a block nothing is wrong with it, whatever the nodes said', async () => {
  const { chain, row, seen } = await begin()
  await until(() => seen.length > 2)
  chain.sending.outcomes = async (attempts) => attempts.map(() => ({ is: 'included' }))
  await until(async () => (await row()).lastError === null)
})

test('that its fee was not raised is still said after the cheaper one was handed over', async () => {
  const { own, chain, row, seen } = await begin()
  await until(() => seen.length > 2)
  own.wallet.sign = () => {
    throw refusal(404, 'No order of the id is known')
  }
  const said: (string | null)[] = []
  chain.sending.dearer = async ({ unsigned, signers, nonce, expiresAt }) => {
    said.push((await row()).lastError)
    return { unsigned: JSON.stringify({ ...JSON.parse(unsigned), fee: 2 }), signers, nonce, expiresAt }
  }
  let handedOver = 0
  chain.sending.broadcast = async () => void handedOver++
  chain.settings.stuckAfterMs = 0
  await until(() => said.length > 9 && handedOver > 1)
  expect(said.slice(2)).toEqual(said.slice(2).map(() => expect.stringContaining('its fee was not raised')))
})
