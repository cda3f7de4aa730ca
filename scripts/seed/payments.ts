import { exampleNames } from '@bursar/contracts/examples'
import { ask, create, get, isThere, type Platform } from './platform'

/** Money has no names to look for: each payment has a key of its own, which its service keeps forever. */
const key = (name: string): string => `seed:payments:${name}`

interface Named {
  id: string
  name: string
}
interface Page<T> {
  data: T[]
}
interface Made {
  data: { id: string }
}

const institutions = {
  payer: { name: 'Bayview Payments', email: 'treasury@bayview.example', registrationNumber: '77-1000001' },
  payee: { name: 'Ridgeline Pay', email: 'treasury@ridgeline.example', registrationNumber: '77-1000002' },
} as const
const address = { street: '2 Pier Road', city: 'Boston', state: 'MA', zipCode: '02110', country: 'US' }

/** Two participants with a dollar account each, and payments of which each becomes something once. */
export async function seedPayments(platform: Platform) {
  const custodianBankId = await seedCustodian(platform)
  const payerBank = await seedBank(platform, 'payer', custodianBankId)
  const payeeBank = await seedBank(platform, 'payee', custodianBankId)
  const sides = { fromParticipantBankId: payerBank, toParticipantBankId: payeeBank }
  const transfer = (name: string) => make(platform, 'transfer', name, sides)
  const deposit = { participantBankId: payeeBank }
  await make(platform, 'do-deposit', 'doDeposit', { ...deposit, reference: exampleNames.doDeposit })
  return {
    payerBank,
    payeeBank,
    payment: await transfer('payment'),
    paymentToReview: await transfer('paymentToReview'),
    paymentToCancel: await transfer('paymentToCancel'),
    paymentDeposit: await make(platform, 'deposit', 'deposit', { ...deposit, reference: exampleNames.deposit }),
    paymentWithdrawal: await make(platform, 'withdrawal', 'withdrawal', {
      participantBankId: payerBank,
      destinationAccount: { accountNumber: '000123456789', routingNumber: '021000021', bankName: 'Atlantic Trust' },
    }),
  }
}

async function seedCustodian(platform: Platform): Promise<string> {
  const body = { name: 'Meridian Trust', country: 'US', services: ['CUSTODY', 'SETTLEMENT'] }
  const { data } = await get<Page<Named>>(platform, 'main-api', 'admin/custodian-bank?limit=100')
  const known = data.find(({ name }) => name === body.name)
  const label = `custodian bank ${body.name}`
  if (known) return isThere(platform, 'main-api', label, known.id)
  return (await create<Named>(platform, ['main-api', 'admin/custodian-bank'], label, { body })).id
}

/** The participant's account at the custodian bank; the participant is approved. */
async function seedBank(platform: Platform, side: keyof typeof institutions, custodianBankId: string): Promise<string> {
  const { name } = institutions[side]
  const participantId = await seedInstitution(platform, side)
  const path = `participants/${participantId}/accounts` as const
  const { data } = await get<Page<Named>>(platform, 'main-api', path)
  const label = `bank account of ${name}`
  const [known] = data
  if (known) return isThere(platform, 'main-api', label, known.id)
  const accountNumber = side === 'payer' ? '000555000111' : '000555000222'
  const body = { accountNumber, routingNumber: '021000021', accountType: 'CHECKING', currency: 'USD', custodianBankId }
  return (await create<Named>(platform, ['main-api', path], label, { body })).id
}

async function seedInstitution(platform: Platform, side: keyof typeof institutions): Promise<string> {
  const institution = institutions[side]
  const search = encodeURIComponent(institution.name)
  const { data } = await get<Page<Named & { status: string }>>(platform, 'main-api', `admin/pfi?search=${search}`)
  const known = data.find(({ name }) => name === institution.name)
  const label = `participant ${institution.name}`
  const body = { ...institution, country: 'US', businessType: 'BANK', address }
  const { id } = known
    ? isThere(platform, 'main-api', label, known)
    : await create<Named>(platform, ['main-api', 'participants'], label, { body })
  if (known?.status !== 'APPROVED') {
    await ask(platform, 'main-api', `PUT /admin/pfi/${id}/status`, { body: { status: 'APPROVED' } })
  }
  return id
}

async function make(platform: Platform, path: string, name: string, fields: object): Promise<string> {
  const body = { amount: '120', currency: 'USD', description: `Seeded: ${name}`, ...fields }
  const { data } = await create<Made>(platform, ['transaction-manager', path], `${path} ${name}`, {
    body,
    key: key(name),
  })
  return data.id
}
