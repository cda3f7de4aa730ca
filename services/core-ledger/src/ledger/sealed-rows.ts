import { followed } from '@bursar/store'

/** The kinds of rows that are sealed: entries, idempotency keys that are kept for ever, people's decisions, terms of assets. */
export const sealedKinds = ['entries', 'keys', 'decisions', 'assets'] as const
export type SealedKind = (typeof sealedKinds)[number]

/** Each commit that adds such a row notes it; the sealing follows them. */
export const sealedRows = followed('seals', sealedKinds)

/** The entries once more: the index of references, hashes and addresses follows them. */
export const indexedEntries = followed('transaction keys', ['entries'])

/** And once more: the sums of the overview, and what is outside the books, follow them. */
export const summedEntries = followed('sums', ['entries'])
