import { getSend, getSends, type NewSend, type SendState, startSend, startSends } from '@bursar/contracts/blockchain'
import { type Client, gathered } from '@bursar/http'

/** The blockchain service's records of orders. Concurrent requests share a call. Rejects with CallError. */
export interface Sends {
  start(order: NewSend): Promise<SendState>
  /** Null for an unknown order. */
  find(id: string): Promise<SendState | null>
}

const calls = 8

export const createSends = (client: Client): Sends => ({
  start: gathered({
    one: (body: NewSend) => client.call(startSend, { body, idempotencyKey: body.id }),
    many: async (items) => (await client.call(startSends, { body: { items } })).items,
    calls,
  }),
  find: gathered({
    one: (id: string) => client.find(getSend, { params: { id } }),
    many: async (items) => (await client.call(getSends, { body: { items } })).items,
    calls,
  }),
})
