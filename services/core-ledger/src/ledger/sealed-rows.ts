import { followed } from '@bursar/store'

/** The kinds of rows that are sealed: entries, idempotency keys that are kept for ever, people's decisions, terms of assets. */
export const sealedKinds = ['entries', 'keys', 'decisions', 'assets'] as const
export type SealedKind = (typeof sealedKinds)[number]

/** Every commit that adds such a row notes it here, and the sealing follows. */
export const sealedRows = followed('seals', sealedKinds)

/** The entries, followed by the index of references, hashes and addresses. */
export const indexedEntries = followed('transaction keys', ['entries'])

/** The entries, followed by the sums of the overview and the balances outside the books. */
export const summedEntries = followed('sums', ['entries'])
