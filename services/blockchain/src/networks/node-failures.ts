import { errorResponses } from '@bursar/http'

/** What a route answers when a network's nodes fail, besides its own failures. */
export const nodeFailures = (own: Readonly<Record<number, string>> = {}) =>
  errorResponses({
    502: 'A node of the network failed, or is not to be believed',
    503: 'No node of the network can be reached, or it has no RPC URL',
    504: 'No node of the network answered in time',
    ...own,
  })
