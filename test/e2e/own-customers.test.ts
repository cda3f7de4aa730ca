// A customer that an institution makes with its API key alone is its own at once: its accounts, deposits and withdrawals,
// and the events and webhooks of these, through a gateway that holds to the table of routes and roles.
import { afterAll, beforeAll, expect } from 'bun:test'
import { exampleAddress } from '@bursar/contracts/examples'
import { inOrder, type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

const [own, foreign] = [{ 'x-api-key': 'sk_test_harbour' }, { 'x-api-key': 'sk_test_stranger' }]
let platform: TestPlatform
let receiver: LocalServer
const institutions: string[] = []
beforeAll(async () => {
  receiver = localServer(() => new Response('ok'))
  platform = await testPlatform(
    [
      'gateway',
      'identity-manager',
      'main-api',
      'participant',
      'customer',
      'account',
      'core-ledger',
      'webhook',
      'notification',
    ],
    { AUTHORIZATION: 'roles', OUTBOUND_ALLOW: '127.0.0.1', RATE_LIMIT_PER_SECOND: '100000' },
  )
  for (const headers of [own, foreign]) {
    const made = { institutionName: 'Bank', authConsumerId: headers['x-api-key'], customers: [] }
    institutions.push((await platform.to('participant').create('/participants', made)).id)
  }
})
afterAll(async () => {
  await platform.close()
  await receiver.stop()
})

const through = () => platform.to('gateway', '')

inOrder('a customer of an institution', (step) => {
  let customer = ''
  let account = ''
  let deposit = ''

  step('is its own as soon as it is made, and nobody else’s', async () => {
    const made = await through().post('/customer/v1/customers', { externalId: 'harbour-1', status: 'active' }, own)
    expect(made.status).toBe(201)
    customer = made.body.id
    expect((await through().get(`/customer/v1/customers/${customer}`, own)).status).toBe(200)
    expect((await through().get(`/customer/v1/customers/${customer}`, foreign)).status).toBe(404)
    const account = { type: 'STABLECOINS', status: 'active', name: 'Main' }
    const named = { ...account, customerExternalId: 'harbour-1' }
    expect((await through().post('/account/v1/accounts', named, foreign)).status).toBe(404)
    expect((await through().post('/account/v1/accounts', named, own)).status).toBe(201)
  })

  step('has accounts, and stands in the institution’s own record', async () => {
    const body = { type: 'STABLECOINS', status: 'active', name: 'Second', customerId: customer }
    account = (await through().post('/account/v1/accounts', body, own)).body.id
    await platform.settle()
    const mine = (await platform.to('participant').get(`/participants/${institutions[0]}`)).body
    expect(mine.customers).toMatchObject([{ id: customer, externalId: 'harbour-1' }])
    expect(mine.customers[0].accounts).toHaveLength(2)
  })

  step('has a deposit and a withdrawal of which the institution is told, by events and by webhooks', async () => {
    const endpoint = { participantId: institutions[0], url: receiver.url, eventTypes: ['transaction.status_updated'] }
    expect((await through().post('/webhook/v1/webhooks/endpoints', endpoint, own)).status).toBe(201)
    const asset = { code: 'HRB', name: 'Harbour', decimalPlaces: 2, address: 'native', network: 'harbournet' }
    const assetId = (await platform.to('core-ledger').create('/assets', asset)).id
    const transfer = { accountId: account, network: 'harbournet', assetId, amount: '5' }
    const ledger = platform.to('core-ledger')
    deposit = (
      await ledger.create('/transactions/deposit', { ...transfer, sourceAddress: exampleAddress, txHash: '0x1' })
    ).id
    await ledger.post('/transactions/complete-screening', { id: deposit, isApproved: true })
    await until(async () => (await ledger.get(`/transactions/${deposit}`)).body.status === 'COMPLETED')
    const ordered = await through().post(
      '/core/v1/transactions/withdrawal',
      { ...transfer, amount: '1', destinationAddress: exampleAddress },
      own,
    )
    expect([ordered.status, ordered.body]).toEqual([201, expect.anything()])
    await platform.settle()
    const events = (await through().get('/notification/v1/events', own)).body
    const about = events.data.map(({ data }: { data: { transactionId: string; status: string } }) => [
      data.transactionId,
      data.status,
    ])
    for (const each of [
      [deposit, 'PENDING'],
      [deposit, 'COMPLETED'],
      [ordered.body.id, 'PENDING'],
    ])
      expect(about).toContainEqual(each)
    expect((await through().get('/notification/v1/events', foreign)).body.data).toEqual([])
    await until(() => receiver.requests.some(({ body }) => body.includes(deposit) && body.includes('COMPLETED')), {
      what: 'the webhook',
    })
  })
})
