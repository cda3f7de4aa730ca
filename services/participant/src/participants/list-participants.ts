import { type Account, findAccounts } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import { type Client, failedCall } from '@bursar/http'
import {
  and,
  anywhere,
  asc,
  type Db,
  eq,
  folded,
  inArray,
  isNotNull,
  isNull,
  listParams,
  listSize,
  listValues,
  matches,
  or,
  param,
  type Store,
  variants,
} from '@bursar/store'
import type { ApiKeys } from '../api-keys/api-keys'
import { members } from '../members/members.table'
import { participantsWith, searchedText } from '../router-data/router-data'
import type { Participant, ParticipantQuery } from './participants.model'
import { participants } from './participants.table'
import { toParticipant } from './read-participant'

interface ListDeps {
  store: Store
  client: Client
  apiKeys: ApiKeys
}

/**
 * The participants that all the filters take, oldest first. An address is looked for in the routerData, and the account
 * service is asked whose account has it. Rejects (502, 503, 504) when it cannot tell: a part would pass for all.
 */
export async function listParticipants(deps: ListDeps, query: ParticipantQuery): Promise<Participant[]> {
  const { institutionName, address, blockchain, routerData, limit, offset } = query
  const holders = address ? await accountsWith(deps.client, address) : []
  const accountIds = holders.map(({ id }) => id)
  const customerIds = holders.flatMap(({ customerId }) => customerId ?? [])
  const statement = pageOfParticipants(
    institutionName ? 1 : 0,
    routerData ? 1 : 0,
    blockchain ? 1 : 0,
    address ? 1 : 0,
    listSize(accountIds),
    listSize(customerIds),
  )
  const rows = await statement(deps.store.read).execute({
    institutionName: anywhere(institutionName ?? ''),
    routerData: anywhere(searchedText(routerData ?? '')),
    blockchain: folded(blockchain ?? ''),
    address: comparableAddress(address ?? ''),
    ...listValues('account', accountIds),
    ...listValues('customer', customerIds),
    limit,
    offset,
  })
  const found: Participant[] = []
  for (const row of rows) found.push(await toParticipant(deps.store.read, deps.apiKeys, row))
  return found
}

/** The most accounts of one address that are looked at; an address is one account's, but for mistakes. */
const mostAccounts = 100

async function accountsWith(client: Client, address: string): Promise<Account[]> {
  try {
    const query = { 'filter[address]': `eq:${address}`, limit: String(mostAccounts) }
    return await client.call(findAccounts, { query })
  } catch (error) {
    throw failedCall(error)
  }
}

const pageOfParticipants = variants(
  (byName: number, byData: number, byChain: number, byAddress: number, accounts: number, customers: number) => (db) =>
    db
      .select()
      .from(participants)
      .where(
        and(
          isNull(participants.deletedAt),
          eq(participants.live, true),
          byName > 0 ? matches(participants.searchName, param('institutionName')) : undefined,
          byData > 0 ? matches(participants.routerText, param('routerData')) : undefined,
          byChain > 0 ? inArray(participants.id, participantsWith(db, 'name', param('blockchain'))) : undefined,
          byAddress > 0 ? atAddress(db, accounts, customers) : undefined,
        ),
      )
      .orderBy(asc(participants.id))
      .limit(param('limit'))
      .offset(param('offset')),
)

/** In the routerData, in an account of a customer, or in an account of the participant's own. */
function atAddress(db: Db, accounts: number, customers: number) {
  const ids = listParams('account', accounts)
  const owners = db
    .select({ id: members.participantId })
    .from(members)
    .where(and(isNotNull(members.position), inArray(members.customerId, listParams('customer', customers))))
  return or(
    inArray(participants.id, participantsWith(db, 'address', param('address'))),
    customers > 0 ? inArray(participants.id, owners) : undefined,
    accounts > 0 ? inArray(participants.omnibusAccountId, ids) : undefined,
    accounts > 0 ? inArray(participants.feePayerAccountId, ids) : undefined,
  )
}
