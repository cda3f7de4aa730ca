// SCREENING=sanctions: the real core ledger and sanctions services, with a real Redis between them.
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

const listed = '12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h'
const clean = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'
let platform: TestPlatform
let accountId = ''
let assetId = ''

beforeAll(async () => {
  platform = await testPlatform(['customer', 'account', 'core-ledger', 'sanctions', 'log-tracker'], {
    SCREENING: 'sanctions',
  })
  const customer = await platform.to('customer').create('/customers', { externalId: 'c-1', status: 'active' })
  const account = { type: 'STABLECOINS', status: 'active', name: 'Main', customerId: customer.id }
  accountId = (await platform.to('account').create('/accounts', account)).id
  const asset = { code: 'BTC', name: 'Bitcoin', decimalPlaces: 8, address: 'native', network: 'bitcoin' }
  assetId = (await ledger().create('/assets', asset)).id
  await platform.settle()
})
afterAll(() => platform.close())

const ledger = () => platform.to('core-ledger')
const stateOf = async (id: string) => (await ledger().get(`/transactions/${id}`)).body
const reached = (id: string, status: string) =>
  until(async () => (await stateOf(id)).status === status, { what: `${id} to be ${status}` })
const deposit = (sourceAddress: string, amount = '1') =>
  ledger().create('/transactions/deposit', {
    accountId,
    network: 'bitcoin',
    assetId,
    amount,
    sourceAddress,
    txHash: crypto.randomUUID().replaceAll('-', '').repeat(2),
  })
const withdraw = (destinationAddress: string) =>
  ledger().create('/transactions/withdrawal', {
    accountId,
    network: 'bitcoin',
    assetId,
    amount: '0.1',
    destinationAddress,
  })

describe('the core ledger’s transactions are screened by the sanctions service', () => {
  test('a deposit from a source that is not sanctioned is approved and credited', async () => {
    const { id } = await deposit(clean)
    await reached(id, 'COMPLETED')
    expect((await stateOf(id)).screeningData).toMatchObject({
      reason: 'The counterparty is not sanctioned: ofac-sdn, sandbox',
      result: {
        address: clean,
        sanctioned: false,
        sources: [{ provider: 'ofac-sdn', details: { version: '2024-09-27' } }, {}],
      },
    })
  })

  test('a deposit from a sanctioned source is frozen, with the evidence', async () => {
    const { id } = await deposit(listed)
    await reached(id, 'FROZEN')
    const { screeningData } = await stateOf(id)
    expect(screeningData.reason).toBe('The counterparty is sanctioned: ofac-sdn')
    expect(screeningData.result.sources[0].details.matches).toEqual([
      expect.objectContaining({ asset: 'XBT', address: listed }),
    ])
    const job = await platform.to('sanctions').get(`/sanctions/jobs/${screeningData.jobId}`)
    expect(job.body).toMatchObject({
      kind: 'ledger',
      externalId: id,
      status: 'completed',
      result: screeningData.result,
    })
  })

  test('a withdrawal is screened by its destination', async () => {
    await reached((await deposit(clean)).id, 'COMPLETED')
    await reached((await withdraw(listed)).id, 'FROZEN')
    await reached((await withdraw(clean)).id, 'APPROVED')
  })

  test('without the sanctions service nothing is approved; it is when the service is back', async () => {
    await platform.stop('sanctions')
    const { id } = await deposit(clean, '2')
    const sanctioned = await deposit(listed, '3')
    await platform.settle()
    expect([(await stateOf(id)).status, (await stateOf(sanctioned.id)).status]).toEqual(['PENDING', 'PENDING'])
    await platform.start('sanctions')
    await reached(id, 'COMPLETED')
    await reached(sanctioned.id, 'FROZEN')
  })

  test('a verdict comes through the restart of both services and of Redis', async () => {
    await platform.stop('sanctions')
    const { id } = await deposit(listed, '4')
    await platform.stop('core-ledger')
    await platform.redis.restart()
    await platform.start('core-ledger')
    await platform.start('sanctions')
    await reached(id, 'FROZEN')
  })
})
