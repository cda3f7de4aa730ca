import { Deleted, deleted, idempotencyKeys, needsSecret } from '@bursar/http'

/** The answer of a route without data. */
export const Done = { ...Deleted, title: 'Done' }

export const done = deleted

/**
 * For the documents of routes with secrets. A stored answer would have them, or a digest of its request, from which a password
 * could be guessed: these routes take no idempotency key.
 */
export const withSecret = { ...idempotencyKeys('none'), ...needsSecret }
