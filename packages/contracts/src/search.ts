import { readCall } from './call'
import { nullable, oneOf, type Static, t, timestamp } from './schema'
import type { ServiceName } from './services'

/** What can be found by an id, a reference, a hash, an address or the beginning of a name. */
export const searchKinds = [
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

/** A record that fits what somebody looks for. */
export const SearchHit = t.Object({
  kind: oneOf(searchKinds),
  /** The record's own id, for links. */
  id: t.String(),
  /** What a person would call it: a name, or "Withdrawal of 12.5 USDC". */
  title: t.String(),
  /** Which of its fields fits, and anything that tells it from others; empty for nothing. */
  detail: t.String(),
  status: nullable(t.String()),
  /** When it was created or happened. */
  at: nullable(timestamp()),
})
export type SearchHit = Static<typeof SearchHit>

/** The most that a service gives. */
export const mostHits = 5

/**
 * What a service knows under a text. Query: `q`, 1 to 200 characters; `participantId` where nothing but what belongs to
 * that participant may be found.
 */
export const searchCall = (service: ServiceName) => readCall(service, 'GET', '/internal/search', t.Array(SearchHit))
