import { expect, test } from 'bun:test'
import { refused, testBlockchain } from '../harness'
import { solanaNode } from './solana-node'

const owner = '42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi'

test('a node of another cluster: 502, said in health', async () => {
  const other = solanaNode()
  other.genesisHash = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG'
  const own = await testBlockchain({ env: { SOLANA_RPC_URLS: other.url } })
  const problem =
    'is of the cluster EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG, not 5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
  expect(refused(await own.get(`/addresses/${owner}`), 502).message).toBe(`solana: A node ${problem}`)
  expect((await own.get('/health')).body.networks.solana).toBe(`node 1 ${problem}`)
  await other.stop()
  expect(refused(await own.get(`/addresses/${owner}`), 503).code).toBe('SERVICE_UNAVAILABLE')
  await own.stop()
})

test('the first node is unavailable: the second is asked', async () => {
  const node = solanaNode()
  node.fund(owner, 5_000_000n)
  const own = await testBlockchain({ env: { SOLANA_RPC_URLS: `http://127.0.0.1:9,${node.url}` } })
  expect((await own.get(`/addresses/${owner}`)).body.data[0]).toMatchObject({
    currency: 'SOL',
    network: 'solana',
    simulated: false,
  })
  await own.stop()
  await node.stop()
})
