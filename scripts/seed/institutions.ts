import { exampleInstitutionKey, exampleRoles } from '@bursar/contracts/examples'
import { ask, ensure, get, type Platform, soon } from './platform'

interface Named {
  id: string
  name: string
}
export interface Institution {
  name: string
  email: string
  registrationNumber: string
}
interface BankAccount {
  accountNumber: string
  custodianBankId: string
}

const lakeside = {
  name: 'Lakeside Payments',
  email: 'treasury@lakeside.example',
  registrationNumber: '84-2113907',
}
const bridge = { name: 'Bridge Pay', email: 'treasury@bridge.example', registrationNumber: '84-2113908' }
const information = { key: 'cut-off', value: '16:30 New York' }

/** An institution to review with additional information, a custodian bank, and an institution that calls the API. */
export async function seedInstitutions(platform: Platform) {
  const pfi = await seedInstitution(platform, lakeside)
  const custodianBank = await seedCustodianBank(platform, 'Glacier Trust')
  return {
    pfi,
    custodianBank,
    additionalInformation: await seedInformation(platform, pfi),
    custodianUser: await seedCaller(platform, custodianBank),
  }
}

export const seedCustodianBank = (platform: Platform, name: string): Promise<string> =>
  seedNamed(platform, 'admin/custodian-bank?limit=100', 'admin/custodian-bank', {
    name,
    country: 'US',
    services: ['CUSTODY', 'SETTLEMENT'],
  })

/** An institution that is approved, with a dollar account at a custodian bank. */
export async function seedApproved(platform: Platform, institution: Institution, account: BankAccount) {
  const id = await seedInstitution(platform, institution)
  const { status } = await get<{ status: string }>(platform, 'main-api', `admin/pfi/${id}`)
  if (status !== 'APPROVED') {
    await ask(platform, 'main-api', `PUT /admin/pfi/${id}/status`, { body: { status: 'APPROVED' } })
  }
  const path = `participants/${id}/accounts` as const
  const { data } = await get<{ data: Named[] }>(platform, 'main-api', path)
  const body = { routingNumber: '021000021', accountType: 'CHECKING', currency: 'USD', ...account }
  const label = `bank account of ${institution.name}`
  return { id, accountId: await ensure(platform, ['main-api', path], label, data[0], { body }) }
}

function seedInstitution(platform: Platform, institution: Institution): Promise<string> {
  const address = { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' }
  const body = { ...institution, country: 'US', businessType: 'BANK', address }
  const listPath = `admin/pfi?search=${encodeURIComponent(institution.name)}`
  return seedNamed(platform, listPath, 'participants', body)
}

/** Looks for the name in a list, and creates the record if it is missing. */
async function seedNamed<B extends { name: string }>(
  platform: Platform,
  listPath: string,
  path: string,
  body: B,
): Promise<string> {
  const { data } = await get<{ data: Named[] }>(platform, 'main-api', listPath)
  const known = data.find(({ name }) => name === body.name)
  return await ensure(platform, ['main-api', path], body.name, known, { body })
}

async function seedInformation(platform: Platform, participantId: string): Promise<string> {
  const path = `additional-information/participant/${participantId}`
  const { data } = await get<{ data: { id: string; key: string }[] }>(platform, 'main-api', path)
  const known = data.find(({ key }) => key === information.key)
  const body = { participantId, ...information }
  return await ensure(platform, ['main-api', 'admin/additional-information'], information.key, known, { body })
}

/** The institution whose key the examples send, and a user of its custodian bank. */
async function seedCaller(platform: Platform, custodianBankId: string): Promise<string> {
  const { id } = await seedApproved(platform, bridge, { accountNumber: '000555000333', custodianBankId })
  await seedKey(platform, id)
  const headers = { 'x-api-key': exampleInstitutionKey }
  const email = 'mara.keller@glacier.example'
  const { data } = await get<{ data: { id: string; email: string }[] }>(
    platform,
    'main-api',
    'custodian-bank/users?limit=100',
    headers,
  )
  const known = data.find((user) => user.email === email)
  const body = { email, name: 'Mara Keller', roleIds: [exampleRoles.custodianUser] }
  return await ensure(platform, ['main-api', 'custodian-bank/users'], email, known, { body, headers })
}

/** Replaces the key that its approval created by the one that the examples name. */
async function seedKey(platform: Platform, id: string): Promise<void> {
  const participant = await soon(`The participant of ${bridge.name}`, async () => {
    const { status, body } = await ask<{ authConsumerId: string }>(platform, 'participant', `GET /participants/${id}`, {
      taken: [404],
    })
    return status === 200 ? body : undefined
  })
  if (participant.authConsumerId === exampleInstitutionKey) return
  const body = { institutionName: bridge.name, routerData: null, authConsumerId: exampleInstitutionKey, customers: [] }
  await ask(platform, 'participant', `PUT /participants/${id}`, { body })
}
