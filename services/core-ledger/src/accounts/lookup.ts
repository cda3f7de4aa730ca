import { getAccountState } from '@bursar/contracts/account'
import { getCustomer } from '@bursar/contracts/customer'
import { isUuid } from '@bursar/contracts/schema'
import { CallError, type Client } from '@bursar/http'
import type { Store } from '@bursar/store'
import { fail } from '../errors'
import { AccountUnknown } from './account-unknown'
import { isCustomerKnown, keepAccount, keepCustomer, knownAccount } from './copies'

/** Asks the account and customer services for what their events have not told yet. */
export interface Lookup {
  /**
   * Runs the work; when it throws AccountUnknown that account is asked for, kept, and the work run again. Fails with
   * 404 when there is no such account, with 503 when it cannot be asked for.
   */
  knowing<T>(work: () => Promise<T>): Promise<T>
  /** Fails with 404 when there is no such account, here or at its service; with 503 when that cannot be asked. */
  requireAccount(id: string): Promise<void>
  /** The same for a customer. */
  requireCustomer(id: string): Promise<void>
}

/** The copies are kept in commits of their own, before the work that wants them. */
export function createLookup({ store, client }: { store: Store; client: Client }): Lookup {
  async function fetchAccount(id: string): Promise<void> {
    if (!isUuid(id)) throw missing.account(id)
    const state = await ask(client.call(getAccountState, { params: { id } }), () => missing.account(id))
    await store.commit((tx) => keepAccount(tx, state))
    const { customerId } = state.account
    if (customerId !== null) await requireCustomer(customerId)
  }

  async function requireCustomer(given: string): Promise<void> {
    const id = given.toLowerCase()
    if (await isCustomerKnown(store.read, id)) return
    if (!isUuid(id)) throw missing.customer(id)
    const customer = await ask(client.call(getCustomer, { params: { id } }), () => missing.customer(id))
    await store.commit((tx) => keepCustomer(tx, customer, { version: 0 }))
  }

  return {
    requireCustomer,
    async requireAccount(given) {
      const id = given.toLowerCase()
      if (!(await knownAccount(store.read, id))) await fetchAccount(id)
    },
    async knowing(work) {
      // A transfer names two accounts; each is asked for once.
      const asked = new Set<string>()
      for (;;) {
        try {
          return await work()
        } catch (error) {
          if (!(error instanceof AccountUnknown)) throw error
          if (asked.has(error.accountId)) throw missing.account(error.accountId)
          asked.add(error.accountId)
          await fetchAccount(error.accountId)
        }
      }
    },
  }
}

const missing = {
  account: (id: string) => fail('ACCOUNT_NOT_FOUND', { message: `Account ${id} not found` }),
  customer: (id: string) => fail('CUSTOMER_NOT_FOUND', { message: `Customer ${id} not found` }),
}

async function ask<T>(call: Promise<T>, missing: () => Error): Promise<T> {
  try {
    return await call
  } catch (cause) {
    if (cause instanceof CallError && cause.status === 404) throw missing()
    if (cause instanceof CallError) throw fail('ACCOUNTS_UNAVAILABLE', { cause })
    throw cause
  }
}
