import { expect, test } from 'bun:test'
import { config } from '../src/config'

const url = 'http://127.0.0.1:8545'

test('two networks are not one chain: what is paid on it would be credited on both', () => {
  const env = { ETHEREUM_RPC_URLS: url, BASE_RPC_URLS: url, BASE_CHAIN_ID: '1' }
  expect(() => config(env)).toThrow('ethereum and base are both the chain 1')
  expect(config({ ...env, BASE_CHAIN_ID: undefined }).networks.map(({ chainId }) => chainId)).toContain(8453)
})

test('a network that is simulated has no chain that another one could have', () => {
  expect(() => config({ ETHEREUM_RPC_URLS: url, BASE_CHAIN_ID: '1' })).not.toThrow()
})
