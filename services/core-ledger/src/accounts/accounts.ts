import type { AccountRecord, AccountState } from '@bursar/contracts/account'
import type { Customer, CustomerState } from '@bursar/contracts/customer'
import type { CustomerOwner } from '@bursar/contracts/participant'
import { type ChangeMark, type Db, eq, param, prepared, replica, rowBy, type Tx } from '@bursar/store'
import { accounts, customerOwners, customers } from './accounts.table'
import { heldReason, holdsOwner } from './institutions'
import { type HeldState, heldInstitutions } from './institutions.table'

export type AccountRow = typeof accounts.$inferSelect
type OwnerRow = typeof customerOwners.$inferSelect
export type CustomerRow = typeof customers.$inferSelect

export const accountReplica = replica('account', accounts)
export const ownerReplica = replica('customer-owner', customerOwners)
export const customerReplica = replica('customer', customers)

export const toAccountRow = ({ account, participantId }: AccountRecord, mark: ChangeMark): AccountRow => ({
  id: account.id,
  customerId: account.customerId,
  type: account.type,
  status: account.status,
  participantId,
  epoch: mark.epoch,
  version: mark.version,
})

export const toCustomerRow = ({ id, status }: Customer, { epoch, version }: ChangeMark): CustomerRow => ({
  id,
  status,
  epoch,
  version,
})

/** Stores a state of an account unless a newer one is stored. */
export const upsertAccount = (tx: Tx, state: AccountState): Promise<unknown> =>
  accountReplica.upsert(tx, toAccountRow(state, state))

export const toOwnerRow = ({ customerId, participantId }: CustomerOwner, mark: ChangeMark): OwnerRow => ({
  id: customerId,
  participantId,
  epoch: mark.epoch,
  version: mark.version,
})

/** Stores a customer's owner unless a newer state is stored. */
export const upsertOwner = (tx: Tx, state: CustomerOwner & ChangeMark): Promise<unknown> =>
  ownerReplica.upsert(tx, toOwnerRow(state, state))

/** The owner of an account: its customer's participant, or its own; null if there is none or it is unknown here. */
export async function participantOf(db: Db, accountId: string): Promise<string | null> {
  const [row] = await participantById(db).execute({ id: accountId })
  return row?.own ?? row?.ofCustomer ?? null
}

/** The type of accounts whose own transactions on their chain are entries of kind `execution`. */
export const executingType = 'PORTFOLIO'

/** Stores a state of a customer unless a newer one is stored. */
export const upsertCustomer = (tx: Tx, state: CustomerState): Promise<unknown> =>
  customerReplica.upsert(tx, toCustomerRow(state.customer, state))

/** An account, and its customer's status: null when it has no customer, or the customer is unknown here. */
export type Standing = Pick<AccountRow, 'id' | 'type' | 'status' | 'customerId'> & {
  customerStatus: string | null
  /** Null while its institution is active, and for an account without one. */
  institution: HeldState | null
}

/** The account with its customer's status; undefined when it is unknown here. The id is in lower case. */
export const findStanding = async (db: Db, id: string): Promise<Standing | undefined> =>
  (await standingById(db).execute({ id }))[0]

/**
 * Why an account, its customer or its institution may not be used (decisions, Accounts and customers); null when it
 * may.
 */
export function inactivityOf(standing: Omit<Standing, 'type'>): string | null {
  const { id, status, customerId, customerStatus, institution } = standing
  // Checked first, because it is never final.
  if (institution !== null) return heldReason(id, institution)
  if (status !== 'active') return `Account ${id} is ${status}; only active accounts can be used`
  if (customerId === null || customerStatus === 'active') return null
  return `Customer ${customerId} of account ${id} is ${customerStatus}; only accounts of active customers can be used`
}

/** The stored states, with their marks; undefined for none. */
export const accountMark = rowBy(accounts, 'id')
export const customerMark = rowBy(customers, 'id')

/** For queries that join accounts, their customers, the customers' owners and `heldInstitutions`. */
export const standingColumns = {
  id: accounts.id,
  type: accounts.type,
  status: accounts.status,
  customerId: accounts.customerId,
  customerStatus: customers.status,
  institution: heldInstitutions.state,
}
const standingById = prepared((db) =>
  db
    .select(standingColumns)
    .from(accounts)
    .leftJoin(customers, eq(customers.id, accounts.customerId))
    .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
    .leftJoin(heldInstitutions, holdsOwner)
    .where(eq(accounts.id, param('id'))),
)
const participantById = prepared((db) =>
  db
    .select({ own: accounts.participantId, ofCustomer: customerOwners.participantId })
    .from(accounts)
    .leftJoin(customerOwners, eq(customerOwners.id, accounts.customerId))
    .where(eq(accounts.id, param('id'))),
)
