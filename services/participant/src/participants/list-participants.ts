import { type Account, findAccounts } from '@bursar/contracts/account'
import { comparableAddress } from '@bursar/contracts/address'
import {
  and,
  anywhere,
  type Db,
  defineList,
  eq,
  folded,
  inArray,
  isNotNull,
  isNull,
  listParams,
  listSize,
  listValues,
  matches,
  nextTurn,
  or,
  param,
} from '@bursar/store'
import type { ParticipantDeps } from '../deps'
import { members } from '../members/members.table'
import { participantsWith } from '../router-data/router-data'
import { searchedText } from '../router-data/words'
import type { Participant, ParticipantQuery } from './participants.model'
import { participants } from './participants.table'
import { wholeParticipant } from './read-participant'

/** The maximum number of accounts considered for one address; normally an address belongs to one account. */
const mostAccounts = 100

/**
 * The participants that match all filters, oldest first by default. An address is looked for in the routerData, and the
 * account service is asked for the accounts that have it. Rejects with a CallError when it cannot answer: a partial
 * list would look complete.
 */
export async function listParticipants(
  { store, client, apiKeys }: Pick<ParticipantDeps, 'store' | 'client' | 'apiKeys'>,
  query: ParticipantQuery,
): Promise<Participant[]> {
  const { address } = query
  const holders: Account[] = address
    ? await client.call(findAccounts, { query: { 'filter[address]': `eq:${address}`, limit: String(mostAccounts) } })
    : []
  const accountIds = holders.map(({ id }) => id)
  const customerIds = holders.flatMap(({ customerId }) => customerId ?? [])
  const rows = await participantList.page(store.read, { ...query, accountIds, customerIds }, query)
  const found: Participant[] = []
  for (const row of rows) {
    const participant = await wholeParticipant(store, apiKeys, row)
    found.push(participant)
    if (participant.customers.length > 100) await nextTurn()
  }
  return found
}

type Filters = Pick<ParticipantQuery, 'institutionName' | 'address' | 'blockchain' | 'routerData'> &
  Record<'accountIds' | 'customerIds', string[]>

/** The participants that pass all the filters, by age. */
const participantList = defineList({
  id: participants.id,
  rows: (db) => db.select().from(participants),
  to: (row) => row,
  read: ({ institutionName, address, blockchain, routerData, accountIds, customerIds }: Filters) => ({
    form: {
      byName: Boolean(institutionName),
      byData: Boolean(routerData),
      byChain: Boolean(blockchain),
      byAddress: Boolean(address),
      accounts: listSize(accountIds),
      customers: listSize(customerIds),
    },
    values: {
      institutionName: anywhere(institutionName ?? ''),
      routerData: anywhere(searchedText(routerData ?? '')),
      blockchain: folded(blockchain ?? ''),
      address: comparableAddress(address ?? ''),
      ...listValues('account', accountIds),
      ...listValues('customer', customerIds),
    },
  }),
  where: ({ byName, byData, byChain, byAddress, accounts, customers }, db) =>
    and(
      isNull(participants.deletedAt),
      eq(participants.live, true),
      byName ? matches(participants.searchName, param('institutionName')) : undefined,
      byData ? matches(participants.routerText, param('routerData')) : undefined,
      byChain ? inArray(participants.id, participantsWith(db, 'name', param('blockchain'))) : undefined,
      byAddress ? atAddress(db, accounts, customers) : undefined,
    ),
})

/** In the routerData, in an account of a customer, or in an account of the participant's own. */
function atAddress(db: Db, accounts: number, customers: number) {
  const ids = listParams('account', accounts)
  const owners = db
    .select({ id: members.participantId })
    .from(members)
    .where(and(isNotNull(members.position), inArray(members.id, listParams('customer', customers))))
  return or(
    inArray(participants.id, participantsWith(db, 'address', param('address'))),
    customers > 0 ? inArray(participants.id, owners) : undefined,
    accounts > 0 ? inArray(participants.omnibusAccountId, ids) : undefined,
    accounts > 0 ? inArray(participants.feePayerAccountId, ids) : undefined,
  )
}
