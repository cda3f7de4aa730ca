import { expect, test } from 'bun:test'
import { config } from './config'

test('the path of Chainalysis follows its URL; others are requested as they are given', () => {
  const made = config({
    CHAINALYSIS_API_KEY: 'key-1',
    CHAINALYSIS_URL: 'https://chainalysis.example/',
    CHAINALYSIS_ORACLE_RPC_URL: 'https://node.example/rpc/',
    SANCTIONS_CALLBACK_URL: 'https://bank.example/hook/?back=/',
  })
  expect(made.chainalysis).toEqual({ url: 'https://chainalysis.example', apiKey: 'key-1' })
  expect(made.oracle?.rpcUrl).toBe('https://node.example/rpc/')
  expect(made.callbackUrl).toBe('https://bank.example/hook/?back=/')
})

test.each([
  ['CHAINALYSIS_API_KEY', 'key 1', 'must have visible ASCII characters only, and no spaces'],
  ['CHAINALYSIS_API_KEY', 'clé', 'must have visible ASCII characters only, and no spaces'],
  ['CHAINALYSIS_URL', 'ftp://chainalysis.example', 'must be an http or https URL'],
  ['SANCTIONS_CALLBACK_URL', 'bank.example/hook', 'must be an http or https URL'],
  ['CHAINALYSIS_ORACLE_RPC_URL', 'javascript:alert(1)', 'must be an http or https URL'],
  ['CHAINALYSIS_ORACLE_ADDRESS', '0x12', 'must be an EVM address'],
])('%s=%s stops the start', (name, value, problem) => {
  expect(() => config({ [name]: value })).toThrow(`${name} ${problem}`)
})
