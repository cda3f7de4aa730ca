import type { Db } from '@bursar/store'
import { accountsOf, toAccount } from '../accounts/accounts'
import type { ApiKeys } from '../api-keys/api-keys'
import { toCustomer } from '../customers/customers'
import { membersOf } from '../members/members'
import { liveParticipant, type ParticipantRow } from './participants'
import type { Participant } from './participants.model'

/** A participant with its customers and their accounts, its API key in full. */
export const getParticipant = async (db: Db, apiKeys: ApiKeys, id: string): Promise<Participant> =>
  await toParticipant(db, apiKeys, await liveParticipant(db, id))

/** The record as the API returns it. */
export async function toParticipant(db: Db, apiKeys: ApiKeys, row: ParticipantRow): Promise<Participant> {
  const customers: Participant['customers'] = []
  for (const customer of await membersOf(db, row.id)) {
    const accounts = await accountsOf(db, customer.id)
    customers.push({ ...toCustomer(customer), accounts: accounts.map(toAccount) })
  }
  return {
    id: row.id,
    institutionName: row.institutionName,
    authConsumerId: apiKeys.open(row.sealedKey, row.id),
    omnibusAccountId: row.omnibusAccountId,
    feePayerAccountId: row.feePayerAccountId,
    customers,
    routerData: row.routerData,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    deletedAt: row.deletedAt?.toISOString() ?? null,
  }
}
