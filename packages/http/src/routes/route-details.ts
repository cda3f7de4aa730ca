/** How long a POST's answer is kept under its key; `none`: the route ignores keys, because repeats change nothing. */
export type IdempotencyKeys = 'day' | 'forever' | 'none'

/**
 * Documents in a route's `detail` how long its idempotency keys are kept, if not for a day:
 * `detail: { summary: 'Withdraw', ...idempotencyKeys('forever') }`.
 */
export const idempotencyKeys = (keep: IdempotencyKeys) => ({ 'x-idempotency-keys': keep })

/** Documents in a route's `detail` that the route acts for the participant whose API key it is sent. */
export const forParticipant = (example: string) => ({
  parameters: [
    {
      name: 'X-API-KEY',
      in: 'header' as const,
      required: false,
      description: 'The API key of the participant; through the gateway, the token of one of its users will do',
      schema: { type: 'string' as const },
      example,
    },
  ],
})

/**
 * Marks in a route's `detail` that its example cannot be sent unchanged: it needs a login, a token or a password that
 * only its caller has. The test of the examples skips it.
 */
export const needsSecret = { 'x-needs-secret': true } as const
