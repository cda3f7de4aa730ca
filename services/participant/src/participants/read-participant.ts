import type { Seal } from '@bursar/http'
import { type Db, nextTurn, type Store } from '@bursar/store'
import { accountsOfAll, toAccount } from '../accounts/accounts'
import { toCustomer } from '../customers/customers'
import { lastPosition, membersOf, together } from '../members/members'
import { liveParticipant, type ParticipantRow } from './participants'
import type { Participant } from './participants.model'

type Reading = Pick<Store, 'read' | 'snapshot'>

/** A participant with its customers and their accounts, its API key in full. */
export const getParticipant = async (store: Reading, apiKeys: Seal, id: string): Promise<Participant> =>
  await wholeParticipant(store, apiKeys, await liveParticipant(store.read, id))

/** The same of a participant that was read: with more customers than come at once, all from one state of the data. */
export async function wholeParticipant(store: Reading, apiKeys: Seal, row: ParticipantRow): Promise<Participant> {
  const read = (db: Db) => toParticipant(db, apiKeys, row)
  return (await lastPosition(store.read, row.id)) < together ? await read(store.read) : await store.snapshot(read)
}

/** The record as the API returns it. */
export async function toParticipant(db: Db, apiKeys: Seal, row: ParticipantRow): Promise<Participant> {
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
