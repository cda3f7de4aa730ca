import { exampleApiKey, exampleNames } from '@bursar/contracts/examples'
import { ask, create, ensure, get, isThere, type Platform, soon } from './platform'

const { customer, otherCustomer, account, otherAccount, portfolioAccount, suspendedAccount } = exampleNames

const accounts = {
  account: { accountExternalId: account, customer, type: 'STABLECOINS', name: 'Treasury' },
  portfolioAccount: { accountExternalId: portfolioAccount, customer, type: 'PORTFOLIO', name: 'Portfolio' },
  otherAccount: { accountExternalId: otherAccount, customer: otherCustomer, type: 'STABLECOINS', name: 'Main' },
  suspendedAccount: {
    accountExternalId: suspendedAccount,
    customer: otherCustomer,
    type: 'STABLECOINS',
    name: 'Suspended',
  },
} as const
type AccountName = keyof typeof accounts

interface Account {
  id: string
  customerId: string
}

/** Two customers with their accounts, a participant, and a message to it. */
export async function seedHolders(platform: Platform) {
  const known = new Map<AccountName, Account>()
  for (const name of Object.keys(accounts) as AccountName[]) known.set(name, await seedAccount(platform, name))
  const idOf = (name: AccountName): string => known.get(name)?.id ?? ''
  const participant = await seedParticipant(platform)
  return {
    customer: known.get('account')?.customerId,
    account: idOf('account'),
    portfolioAccount: idOf('portfolioAccount'),
    otherAccount: idOf('otherAccount'),
    suspendedAccount: idOf('suspendedAccount'),
    participant,
    message: await seedMessage(platform, participant),
  }
}

async function seedAccount(platform: Platform, name: AccountName): Promise<Account> {
  const { customer: externalId, ...fields } = accounts[name]
  const label = `account ${fields.accountExternalId}`
  const filter = encodeURIComponent('filter[externalId]')
  const [known] = await get<Account[]>(platform, 'account', `accounts?${filter}=eq:${fields.accountExternalId}`)
  if (known) {
    isThere(platform, 'account', label)
    return known
  }
  const customerId = await seedCustomer(platform, externalId)
  return await create<Account>(platform, ['account', 'accounts'], label, {
    body: { ...fields, status: 'active', customerId },
  })
}

/** Found by repeating its creation: the list of customers has no filter. */
async function seedCustomer(platform: Platform, externalId: string): Promise<string> {
  const body = { externalId, status: 'active' }
  const made = await ask<{ id: string }>(platform, 'customer', 'POST /customers', { body, taken: [409] })
  if (made.status === 201) {
    platform.say(`created    customer: ${externalId}`)
    return made.body.id
  }
  const all = await get<{ id: string; externalId: string }[]>(platform, 'customer', 'customers')
  const known = all.find((each) => each.externalId === externalId)
  if (!known) throw new Error(`customer: ${externalId} is taken, but no list has it`)
  isThere(platform, 'customer', externalId)
  return known.id
}

const institutionName = 'Harbour Bank'

/** The participant, with its omnibus account. */
async function seedParticipant(platform: Platform): Promise<string> {
  const found = await get<{ id: string; institutionName: string; authConsumerId: string }[]>(
    platform,
    'participant',
    `participants?institutionName=${encodeURIComponent(institutionName)}&limit=100`,
  )
  const known = found.find((each) => each.authConsumerId === exampleApiKey)
  const body = {
    institutionName,
    authConsumerId: exampleApiKey,
    routerData: { bic: 'HARBDEFFXXX' },
    customers: [],
  }
  const id = await ensure(platform, ['participant', 'participants'], institutionName, known, { body })
  await get(platform, 'account', 'accounts/omnibus', { 'x-api-key': exampleApiKey })
  await soon('The omnibus account of the participant', async () => {
    const { omnibusAccountId } = await get<{ omnibusAccountId: string | null }>(
      platform,
      'participant',
      `participants/${id}`,
    )
    return omnibusAccountId ?? undefined
  })
  return id
}

const text = 'Welcome to the platform.'

async function seedMessage(platform: Platform, participantId: string): Promise<string> {
  const texts = await get<{ id: string; participantId: string; data: { text?: string } }[]>(
    platform,
    'message',
    'messages?type=TEXT&limit=1000',
  )
  const known = texts.find((each) => each.participantId === participantId && each.data.text === text)
  const body = { type: 'TEXT', participantId, data: { text } }
  return await ensure(platform, ['message', 'messages'], `“${text}”`, known, { body })
}
