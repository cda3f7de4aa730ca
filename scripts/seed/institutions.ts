import { create, get, isThere, type Platform } from './platform'

interface Named {
  id: string
  name: string
}

const institution = {
  name: 'Lakeside Payments',
  email: 'treasury@lakeside.example',
  country: 'US',
  businessType: 'BANK',
  registrationNumber: '84-2113907',
  address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' },
}
const custodian = { name: 'Glacier Trust', country: 'US', services: ['CUSTODY', 'SETTLEMENT'] }
const information = { key: 'cut-off', value: '16:30 New York' }

/** A participant institution to review, a custodian bank for its accounts, and what else is known of it. */
export async function seedInstitutions(platform: Platform) {
  const pfi = await seedNamed(platform, 'admin/pfi', 'participants', institution)
  const custodianBank = await seedNamed(platform, 'admin/custodian-bank', 'admin/custodian-bank', custodian)
  return { pfi, custodianBank, additionalInformation: await seedInformation(platform, pfi) }
}

/** Looks for the name in the list of `listPath`, and creates what is not there. */
async function seedNamed(platform: Platform, listPath: string, path: string, body: { name: string }): Promise<string> {
  const { data } = await get<{ data: Named[] }>(platform, 'main-api', `${listPath}?limit=100`)
  const known = data.find(({ name }) => name === body.name)
  if (known) return isThere(platform, 'main-api', body.name, known.id)
  return (await create<Named>(platform, ['main-api', path], body.name, { body })).id
}

async function seedInformation(platform: Platform, participantId: string): Promise<string> {
  const { data } = await get<{ data: { id: string; key: string }[] }>(
    platform,
    'main-api',
    `additional-information/participant/${participantId}`,
  )
  const known = data.find(({ key }) => key === information.key)
  if (known) return isThere(platform, 'main-api', information.key, known.id)
  const body = { participantId, ...information }
  return (await create<Named>(platform, ['main-api', 'admin/additional-information'], information.key, { body })).id
}
