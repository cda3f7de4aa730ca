import { queryText } from '../../api/http'
import type { Hit } from './search-query'

type Place = Pick<Hit, 'id' | 'title' | 'detail'>

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/

/** Where a record is shown: its own page, or a list with a filter. */
const pages: Record<string, (of: Place) => string> = {
  transaction: ({ id }) => `/console/transactions/${part(id)}`,
  account: ({ id }) => `/console/accounts/${part(id)}`,
  customer: ({ id }) => `/console/customers/${part(id)}`,
  participant: ({ id }) => `/console/participants/${part(id)}`,
  payment: ({ id }) => `/console/bank/${part(id)}`,
  custodian: () => '/console/bank?view=banks',
  // The page of its participant, whose id is in the detail.
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

/** The page about a hit; for kinds without one, the activity log filtered by its id. */
export const hitPage = (hit: Place & { kind: string }): string =>
  (Object.hasOwn(pages, hit.kind) ? pages[hit.kind] : undefined)?.(hit) ??
  `/console/log${queryText({ requestId: hit.id })}`
