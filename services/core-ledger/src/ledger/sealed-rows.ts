import { follower } from '@bursar/store'

/** The kinds of rows that are sealed: entries, idempotency keys that are kept for ever, people's decisions, terms of assets. */
export const sealedKinds = ['entries', 'keys', 'decisions', 'assets'] as const
export type SealedKind = (typeof sealedKinds)[number]

/** Each commit that adds such a row lists it here; the sealing takes it from here. */
export const sealedRows = follower('seals', sealedKinds)
