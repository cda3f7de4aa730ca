import { t } from '@bursar/contracts/schema'
import { idempotencyKeys, needsSecret } from '@bursar/http'

/** The answer of a route without data. */
export const Done = t.Object({ success: t.Literal(true), message: t.String() }, { title: 'Done' })

export const done = (message: string) => ({ success: true as const, message })

/**
 * For the documents of routes with secrets. A stored answer would have them, or a digest of its request, from which a password
 * could be guessed: these routes take no idempotency key.
 */
export const withSecret = { ...idempotencyKeys('none'), ...needsSecret }
