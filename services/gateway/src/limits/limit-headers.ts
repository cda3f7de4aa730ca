import type { Grant, Policy } from './token-bucket'

/** The rate-limit headers of an accepted request (draft-ietf-httpapi-ratelimit-headers). */
export const limitHeaders = (policy: Policy, { left }: Pick<Grant, 'left'>): Record<string, string> => ({
  'ratelimit-policy': policyText(policy),
  ratelimit: `"${policy.name}";r=${left};t=${policy.seconds}`,
})

/** The content of a refusal: `details` (spec 3, RATE_LIMITED) and headers. */
export function limitDetails(policy: Policy, { waitMs }: Pick<Grant, 'waitMs'>, nowMs: number) {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000))
  return {
    details: { limit: policy.burst, remaining: 0, resetAt: new Date(nowMs + waitMs).toISOString() },
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': policyText(policy),
      ratelimit: `"${policy.name}";r=0;t=${seconds}`,
    },
  }
}

const policyText = ({ name, burst, seconds }: Policy): string => `"${name}";q=${burst};w=${seconds}`
