// The main API with the services behind it as they run: the identity manager's users, the transaction manager's credit
// lines and payments, the sanctions service's names.
import { afterAll, beforeAll, expect } from 'bun:test'
import { exampleRoles } from '@bursar/contracts/examples'
import { createIdentity, identityHeader, openInternalSecret } from '@bursar/http'
import { inOrder } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'

let platform: TestPlatform
let asCustodian: Record<string, string>
let custodianId: string
let pfi: string
let account: string
beforeAll(async () => {
  platform = await testPlatform(['main-api', 'identity-manager', 'transaction-manager', 'sanctions', 'participant'])
})
afterAll(() => platform.close())

const main = () => platform.to('main-api')

/** Headers of a user of the custodian bank, as the gateway sends them. */
async function headersOf(custodianId: string): Promise<Record<string, string>> {
  const identity = createIdentity('main-api', openInternalSecret(platform.dataDir, undefined), () => new Date())
  const caller = {
    kind: 'user',
    subject: 'noor',
    participantId: null,
    custodianId,
    roles: ['custodian-admin'],
  } as const
  return { [identityHeader]: await identity.sign(caller, 'main-api') }
}

inOrder('the main API and the services behind it', (step) => {
  step('an institution with an account at a custodian bank', async () => {
    const address = { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' }
    const known = { country: 'US', businessType: 'BANK', registrationNumber: '84-2113907', address }
    pfi = (await main().create('/participants', { name: 'Lakeside', email: 'first@lakeside.example', ...known })).id
    custodianId = (await main().create('/admin/custodian-bank', { name: 'Glacier Trust', country: 'US' })).id
    const numbers = { accountNumber: '000123456789', routingNumber: '021000021', accountType: 'CHECKING' }
    const bank = { ...numbers, currency: 'USD', custodianBankId: custodianId }
    account = (await main().create(`/participants/${pfi}/accounts`, bank)).id
    expect((await main().put(`/admin/pfi/${pfi}/status`, { status: 'APPROVED', comments: 'Known' })).status).toBe(200)
    asCustodian = await headersOf(custodianId)
    await platform.settle()
  })

  step('users: the administration’s and the custodian bank’s, with roles of their own', async () => {
    const roles = (await main().get('/admin/roles')).body.data
    expect(roles.map(({ name }: { name: string }) => name)).toContain('custodian-user')
    const vera = { email: 'vera@bursar.example', name: 'Vera Lindt', roleIds: [exampleRoles.operator] }
    const made = await main().create('/admin/users', vera)
    expect(made).toMatchObject({ email: vera.email, status: 'INVITED', roles: ['operator'], custodianId: null })
    expect((await main().post('/admin/users', vera)).status).toBe(409)
    const noor = { email: 'noor@glacier.example', name: 'Noor', roleIds: [exampleRoles.custodianUser] }
    const user = await main().create('/custodian-bank/users', noor, asCustodian)
    expect(user).toMatchObject({ roles: ['custodian-user'], custodianId })
    const wrong = { ...noor, email: 'other@glacier.example', roleIds: [exampleRoles.operator] }
    expect((await main().post('/custodian-bank/users', wrong, asCustodian)).status).toBe(400)
    expect((await main().get('/custodian-bank/users', asCustodian)).body.data).toEqual([user])
    expect((await main().get(`/custodian-bank/users/${made.id}`, asCustodian)).status).toBe(404)
    const renamed = await main().put(`/admin/users/${made.id}`, { name: 'Vera L.' })
    expect([renamed.status, renamed.body.name]).toEqual([200, 'Vera L.'])
    expect((await main().del(`/admin/users/${made.id}`)).status).toBe(200)
    expect((await main().del(`/admin/users/${made.id}`)).status).toBe(404)
  })

  step('a credit line is set and shown', async () => {
    const line = await main().put(`/admin/pfi/${pfi}/credit-line`, { currency: 'USD', limit: '250000' })
    expect([line.status, line.body]).toMatchObject([200, { participantId: pfi, currency: 'USD', available: '250000' }])
    expect((await main().get('/custodian-bank/credit-line', asCustodian)).body.data).toEqual([line.body])
    expect((await main().put(`/admin/pfi/${pfi}/credit-line`, { currency: 'USD', limit: '1.001' })).status).toBe(400)
  })

  step('a payment shows at the custodian bank, and in its balance once it is completed', async () => {
    const deposit = { amount: '1250.50', currency: 'USD', participantBankId: account, reference: 'INV-1' }
    const made = await platform.to('transaction-manager').create('/deposit', deposit)
    const { id, reference } = made.data ?? made
    await platform.settle()
    const shown = await main().get('/custodian-bank/transactions?search=inv-1&status=PENDING', asCustodian)
    expect(shown.body).toMatchObject({ data: [{ id, reference, toParticipant: pfi }], pageInfo: { total: 1 } })
    const zero = { currency: 'USD', available: '0', frozen: '0', total: '0' }
    expect((await main().get('/custodian-bank/balance', asCustodian)).body).toMatchObject([zero])
    for (const status of ['IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED']) {
      const moved = await platform.to('transaction-manager').put(`/deposit/${reference}`, { status })
      expect([moved.status, status]).toEqual([200, status])
    }
    await platform.settle()
    expect((await main().get('/custodian-bank/balance', asCustodian)).body).toMatchObject([
      { ...zero, available: '1250.5', total: '1250.5' },
    ])
  })

  step('the AML check screens the customer’s name against the list that the sanctions service has', async () => {
    const check = async (firstName: string, lastName: string) => {
      const customerData = { firstName, lastName, dateOfBirth: '1984-01-08', nationality: 'CH' }
      const payment = { participantId: pfi, custodianBankId: custodianId, transactionAmount: 9.5 }
      return (await main().create('/aml-engine', { ...payment, transactionCurrency: 'USD', customerData })).data
    }
    expect(await check('Ada', 'Lovett')).toMatchObject({ riskLevel: 'LOW', score: 0, reasons: [] })
    expect(await check('Jong-Un', 'Kim')).toMatchObject({ riskLevel: 'HIGH', score: 100, needConfirm: true })
    await platform.stop('sanctions')
    const body = { participantId: pfi, custodianBankId: custodianId, transactionAmount: 1, transactionCurrency: 'USD' }
    const customerData = { firstName: 'Ada', lastName: 'Lovett' }
    expect((await main().post('/aml-engine', { ...body, customerData })).status).toBe(503)
  })
})
