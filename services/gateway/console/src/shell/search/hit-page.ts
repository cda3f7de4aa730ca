import type { Hit } from './search-query'

/** Where a record is shown: a page of its own, or the list that it is found in. */
const pages: Record<string, (id: string) => string> = {
  transaction: (id) => `/console/transactions/${id}`,
  account: (id) => `/console/accounts/${id}`,
  customer: (id) => `/console/customers/${id}`,
  participant: (id) => `/console/participants/${id}`,
  payment: (id) => `/console/bank?payment=${id}`,
  custodian: (id) => `/console/bank?custodian=${id}`,
  message: (id) => `/console/participants?message=${id}`,
  event: (id) => `/console/log?q=${id}`,
  request: (id) => `/console/log?requestId=${id}`,
  delivery: (id) => `/console/webhooks?delivery=${id}`,
  endpoint: (id) => `/console/webhooks?endpointId=${id}`,
  screening: (id) => `/console/sanctions?job=${id}`,
  user: (id) => `/console/users?user=${id}`,
  asset: (id) => `/console/rates?asset=${id}`,
  wallet: (id) => `/console/chain?wallet=${id}`,
  'chain transaction': (id) => `/console/chain?hash=${id}`,
}

/** The page about a hit; of a kind that is not known, the activity log. */
export const hitPage = ({ kind, id }: Pick<Hit, 'kind' | 'id'>): string =>
  (Object.hasOwn(pages, kind) ? pages[kind] : undefined)?.(encodeURIComponent(id)) ??
  `/console/log?q=${encodeURIComponent(id)}`
