import { type AccountState, getAccountState, getAccountStates } from '@bursar/contracts/account'
import { type CustomerState, getCustomerState, getCustomerStates } from '@bursar/contracts/customer'
import { type Client, gathered } from '@bursar/http'

/** The timeout of an owner's answer: the transaction is tried again later anyway. */
const timeoutMs = 1000
const calls = 4

export type Owners = ReturnType<typeof createOwners>

/**
 * The services that own accounts and customers. Null for unknown records. Rejects with CallError. Simultaneous questions
 * share a call.
 */
export const createOwners = (client: Client) => ({
  account: gathered<string, AccountState | null>({
    one: (id) => client.find(getAccountState, { params: { id }, timeoutMs }),
    many: async (items) => (await client.call(getAccountStates, { body: { items }, timeoutMs })).items,
    calls,
  }),
  customer: gathered<string, CustomerState | null>({
    one: (id) => client.find(getCustomerState, { params: { id }, timeoutMs }),
    many: async (items) => (await client.call(getCustomerStates, { body: { items }, timeoutMs })).items,
    calls,
  }),
})
