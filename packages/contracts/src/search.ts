import { readCall } from './call'
import { nullable, oneOf, type Static, t, timestamp } from './schema'
import type { ServiceName } from './services'

/** The kinds of records that a search finds by an id, a reference, a hash, an address or the beginning of a name. */
const searchKinds = [
  'transaction',
  'account',
  'customer',
  'participant',
  'custodian',
  'payment',
  'message',
  'event',
  'delivery',
  'endpoint',
  'screening',
  'request',
  'user',
  'asset',
  'wallet',
  'chain transaction',
] as const
export type SearchKind = (typeof searchKinds)[number]

/** A hit of a search. */
export const SearchHit = t.Object({
  kind: oneOf(searchKinds),
  /** The record's own id, for links. */
  id: t.String(),
  /** Its title: a name, or "Withdrawal of 12.5 USDC". */
  title: t.String(),
  /** The matching field, and further details; may be empty. */
  detail: t.String(),
  status: nullable(t.String()),
  /** When it was created or happened. */
  at: nullable(timestamp()),
})
export type SearchHit = Static<typeof SearchHit>

/** The most that a service gives. */
export const mostHits = 5

/**
 * The hits of a service for a text. Query: `q`, 1 to 200 characters; `participantId` restricts it to the records of that
 * participant.
 */
export const searchCall = (service: ServiceName) => readCall(service, 'GET', '/internal/search', t.Array(SearchHit))
