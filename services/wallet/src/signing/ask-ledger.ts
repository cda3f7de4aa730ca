import { type Authorisation, authoriseWithdrawals } from '@bursar/contracts/core-ledger'
import { type Client, gathered } from '@bursar/http'

/** The ledger's authorisation of a withdrawal; null for an unknown one. Rejects with CallError. */
export type AskAuthorisation = (id: string) => Promise<Authorisation | null>

const calls = 4

/** Concurrent requests share a call. */
export function createAuthorisations(client: Client): AskAuthorisation {
  const many = async (items: string[]) => (await client.call(authoriseWithdrawals, { body: { items } })).items
  return gathered<string, Authorisation | null>({ one: async (id) => (await many([id]))[0] ?? null, many, calls })
}
