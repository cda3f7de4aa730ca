import { type Db, nextTurn } from '@bursar/store'
import { accountsOfAll, toAccount } from '../accounts/accounts'
import type { ApiKeys } from '../api-keys/api-keys'
import { toCustomer } from '../customers/customers'
import { membersOf } from '../members/members'
import { liveParticipant, type ParticipantRow } from './participants'
import type { Participant } from './participants.model'

/** A participant with its customers and their accounts, its API key in full. It reads in parts, so `db` must be a snapshot. */
export const getParticipant = async (db: Db, apiKeys: ApiKeys, id: string): Promise<Participant> =>
  await toParticipant(db, apiKeys, await liveParticipant(db, id))

/** The record as the API returns it. */
export async function toParticipant(db: Db, apiKeys: ApiKeys, row: ParticipantRow): Promise<Participant> {
  const customers: Participant['customers'] = []
  for await (const some of membersOf(db, row.id)) {
    // Other requests are answered in between. The body of a commit has created no more than come at once.
    if (customers.length > 0) await nextTurn()
    const accounts = await accountsOfAll(
      db,
      some.map(({ id }) => id),
    )
    const byCustomer = Map.groupBy(accounts, ({ customerId }) => customerId)
    for (const customer of some) {
      customers.push({ ...toCustomer(customer), accounts: (byCustomer.get(customer.id) ?? []).map(toAccount) })
    }
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
