/** How long the requests under way at a port, and those of services of the same process after them, may take in all once it closes. */
export const drainMs = 10_000
/** How long a service that stops publishes what is in its outbox. */
export const flushMs = 2000
/** Whoever ends a service by SIGTERM kills it only after this: both of these, its callers' second, and what it closes. */
export const stopMs = drainMs + flushMs + 3000
