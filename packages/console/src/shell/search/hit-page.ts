import { queryText } from '../../api/http'
import type { Hit } from './search-query'

type Place = Pick<Hit, 'id' | 'title' | 'detail'>

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** Where a record is shown: a page of its own, or the list that it is found in. */
const pages: Record<string, (of: Place) => string> = {
  transaction: ({ id }) => `/console/transactions/${part(id)}`,
  account: ({ id }) => `/console/accounts/${part(id)}`,
  customer: ({ id }) => `/console/customers/${part(id)}`,
  participant: ({ id }) => `/console/participants/${part(id)}`,
  payment: ({ id }) => `/console/bank/${part(id)}`,
  custodian: () => '/console/bank?view=banks',
  // Of the participant that it is for, whose id stands in the detail.
  message: ({ detail }) => `/console/participants/${uuid.exec(detail)?.[0] ?? ''}`,
  request: ({ id }) => `/console/log${queryText({ requestId: id })}`,
  delivery: ({ id }) => `/console/webhooks${queryText({ delivery: id })}`,
  endpoint: ({ id }) => `/console/webhooks${queryText({ endpointId: id })}`,
  screening: ({ id }) => `/console/sanctions${queryText({ job: id })}`,
  user: ({ id, title }) => `/console/users${queryText({ q: title, user: id })}`,
  asset: ({ id }) => `/console/rates/${part(id)}`,
  wallet: ({ detail }) => `/console/chain${queryText({ view: 'wallets', address: detail })}`,
  'chain transaction': ({ id }) => `/console/transactions${queryText({ q: id })}`,
}

const part = encodeURIComponent

/** The page about a hit; of a kind that has none, what the activity log has of it. */
export const hitPage = (hit: Place & { kind: string }): string =>
  (Object.hasOwn(pages, hit.kind) ? pages[hit.kind] : undefined)?.(hit) ??
  `/console/log${queryText({ requestId: hit.id })}`
