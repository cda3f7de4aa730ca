import { type AccountState, getAccountState, getAccountStates } from '@bursar/contracts/account'
import { type CustomerState, getCustomerState, getCustomerStates } from '@bursar/contracts/customer'
import { type Client, gathered } from '@bursar/http'

/** The services that own accounts and customers. Null for unknown records. Rejects with CallError. */
export interface Owners {
  account(id: string): Promise<AccountState | null>
  customer(id: string): Promise<CustomerState | null>
}

/** The timeout of an owner's answer: the transaction is tried again later anyway. */
const timeoutMs = 1000
const calls = 4

/** Simultaneous questions share a call. */
export const createOwners = (client: Client): Owners => ({
  account: gathered({
    one: (id: string) => client.find(getAccountState, { params: { id }, timeoutMs }),
    many: async (items) => (await client.call(getAccountStates, { body: { items }, timeoutMs })).items,
    calls,
  }),
  customer: gathered({
    one: (id: string) => client.find(getCustomerState, { params: { id }, timeoutMs }),
    many: async (items) => (await client.call(getCustomerStates, { body: { items }, timeoutMs })).items,
    calls,
  }),
})
