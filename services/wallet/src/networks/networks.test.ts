import { expect, test } from 'bun:test'
import type { Network } from '@bursar/contracts/blockchain'
import type { Client } from '@bursar/http'
import { createNetworks } from './networks'

const network = (name: string, chainId: number): Network => ({
  name,
  kind: 'evm',
  chainId,
  nativeCode: 'ETH',
  nativeDecimals: 18,
})
const base = network('base', 8453)
const polygon = network('polygon', 137)

/** The networks of a blockchain service that gives these answers in turn, after 10 seconds without a question. */
async function begin(...answers: Promise<Network[]>[]) {
  let now = 0
  const call = () => answers.shift() ?? Promise.reject(new Error('nothing is left to answer'))
  const networks = createNetworks({ call } as unknown as Client, () => now)
  await networks.list()
  now = 10_000
  return networks
}

test('a new network is there for all who ask for it at the same time', async () => {
  const answer = Promise.withResolvers<Network[]>()
  const networks = await begin(Promise.resolve([base]), answer.promise)
  const found = [networks.byName('polygon'), networks.byName('polygon'), networks.byChainId(137)]
  answer.resolve([base, polygon])
  expect(await Promise.all(found)).toEqual([polygon, polygon, polygon])
})

test('that the blockchain service could not be asked does not mean that there is no such network', async () => {
  const networks = await begin(
    Promise.resolve([base]),
    Promise.reject(new Error('it is away')),
    Promise.resolve([polygon]),
  )
  await expect(networks.byName('polygon')).rejects.toThrow('it is away')
  expect(await networks.byName('polygon')).toEqual(polygon)
})

test('an unknown network is asked for again after ten seconds', async () => {
  const networks = await begin(Promise.resolve([base]), Promise.resolve([base]))
  expect([await networks.byName('polygon'), await networks.byName('polygon')]).toEqual([undefined, undefined])
  expect(await networks.byName('base')).toEqual(base)
})

test('a network that is another chain by now is known as that once it is asked for anew, and not before', async () => {
  const simulated: Network = { ...base, kind: 'simulated' }
  const networks = await begin(Promise.resolve([simulated]), Promise.resolve([base]))
  expect(await networks.byName('base')).toEqual(simulated)
  await networks.renew()
  expect([await networks.byName('base'), await networks.byChainId(8453)]).toEqual([base, base])
  // Just asked: nothing is left to answer.
  await networks.renew()
})
