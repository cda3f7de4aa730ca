// Names that every object inherits, in every parameter and field of the services that ask others for most of what they
// do: with these running, so that nothing stops at one that is away. The others have such a test of their own.
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { brokenByInheritedNames } from '@bursar/testing/service'

const key = { 'x-api-key': 'sk_test_names' }

let platform: TestPlatform
beforeAll(async () => {
  platform = await testPlatform([
    'participant',
    'customer',
    'account',
    'core-ledger',
    'wallet',
    'blockchain',
    'identity-manager',
  ])
  const made = { institutionName: 'Bank', authConsumerId: 'sk_test_names', customers: [] }
  await platform.to('participant').create('/participants', made)
  // Without one the blockchain service waits a second for it, at each order.
  await platform.to('account').get('/accounts/omnibus', key)
  await platform.settle()
})
afterAll(() => platform?.close())

test.each(['core-ledger', 'wallet', 'blockchain', 'identity-manager'] as const)('%s', async (name) => {
  expect(await brokenByInheritedNames(platform.to(name), key)).toEqual([])
})
