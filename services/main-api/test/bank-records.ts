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
export async function newCustodian(service: TestMainApi, fields: object = {}): Promise<string> {
  const bank = { name: `Custodian ${++made}`, country: 'US', services: ['CUSTODY'] }
  return (await service.create('/admin/custodian-bank', { ...bank, ...fields })).id
}

/** The id of a custodian bank that was deleted. */
export async function goneCustodian(service: TestMainApi): Promise<string> {
  const id = await newCustodian(service)
  await service.del(`/admin/custodian-bank/${id}`)
  return id
}

/** Gives a participant an account at a custodian bank. */
export const newAccount = (service: TestMainApi, participantId: string, custodianBankId: string) =>
  service.create(`/participants/${participantId}/accounts`, {
    accountNumber: `1000${++made}`,
    routingNumber: '021000021',
    accountType: 'CHECKING',
    currency: 'USD',
    custodianBankId,
  })

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
