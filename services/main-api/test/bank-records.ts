import { bankAccounts } from '../src/bank-accounts/bank-accounts.table'
import { custodianBanks } from '../src/custodian-banks/custodian-banks.table'
import type { TestMainApi } from './harness'

let made = 0

/** Registers a participant institution; answers its id. */
export async function newParticipant(service: TestMainApi, fields: object = {}): Promise<string> {
  const participant = await service.create('/participants', {
    name: `Bank ${++made}`,
    email: `first${made}@bank.example`,
    country: 'US',
    businessType: 'BANK',
    registrationNumber: `R-${made}`,
    address: { street: '1 Shore Drive', city: 'Chicago', country: 'US' },
    ...fields,
  })
  return participant.id
}

/** Adds a custodian bank; answers its id. */
export async function newCustodian(
  { store }: TestMainApi,
  fields: Partial<typeof custodianBanks.$inferInsert> = {},
): Promise<string> {
  const name = `Custodian ${++made}`
  const id = Bun.randomUUIDv7()
  const rest = { services: ['CUSTODY'], status: 'ACTIVE', createdAt: new Date(), deletedAt: null } as const
  const row = { id, name, searchName: name.toLowerCase(), country: 'US', ...rest, ...fields, services: ['CUSTODY'] }
  await store.commit(async (tx) => {
    await tx.insert(custodianBanks).values(row)
  })
  return id
}

/** Gives a participant an account at a custodian bank. */
export async function newAccount({ store }: TestMainApi, participantId: string, custodianBankId: string) {
  const id = Bun.randomUUIDv7()
  const names = { accountNumber: `A${++made}`, routingNumber: '021000021', accountType: 'CHECKING', currency: 'USD' }
  const row = { id, participantId, custodianBankId, custodianBankName: 'Custodian', createdAt: new Date(), ...names }
  await store.commit(async (tx) => {
    await tx.insert(bankAccounts).values(row)
  })
  return id
}

/** A participant with an account at a custodian bank of their own, and headers of each. */
export async function newBankWithParticipant(service: TestMainApi) {
  const [custodianId, participantId] = [await newCustodian(service), await newParticipant(service)]
  await newAccount(service, participantId, custodianId)
  return {
    custodianId,
    participantId,
    asCustodian: await service.as({ custodianId, roles: ['custodian-admin'] }),
    asParticipant: await service.asParticipant(participantId),
  }
}
