import { exampleNames } from '@bursar/contracts/examples'
import { type Institution, seedApproved, seedCustodianBank } from './institutions'
import { create, type Platform } from './platform'

/** Payments have no name for a look-up: each has an idempotency key, which its service keeps forever. */
const key = (name: string): string => `seed:payments:${name}`

interface Made {
  data: { id: string }
}

const institutions = {
  payer: { name: 'Bayview Payments', email: 'treasury@bayview.example', registrationNumber: '77-1000001' },
  payee: { name: 'Ridgeline Pay', email: 'treasury@ridgeline.example', registrationNumber: '77-1000002' },
} as const

/** Two participants with a dollar account each, and payments for the examples to decide. */
export async function seedPayments(platform: Platform) {
  const custodianBankId = await seedCustodianBank(platform, 'Meridian Trust')
  const bankOf = async (institution: Institution, accountNumber: string) =>
    (await seedApproved(platform, institution, { accountNumber, custodianBankId })).accountId
  const payerBank = await bankOf(institutions.payer, '000555000111')
  const payeeBank = await bankOf(institutions.payee, '000555000222')
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

async function make(platform: Platform, path: string, name: string, fields: object): Promise<string> {
  const body = { amount: '120', currency: 'USD', description: `Seeded: ${name}`, ...fields }
  const { data } = await create<Made>(platform, ['transaction-manager', path], `${path} ${name}`, {
    body,
    key: key(name),
  })
  return data.id
}
