import type { Json } from './openapi-schema'

/** The headers and parameters that operations share, as far as these paths name them. */
export function commonComponents(paths: Json): Json {
  const text = JSON.stringify(paths)
  const used = Object.entries(parameters).filter(([name]) => text.includes(`"#/components/parameters/${name}"`))
  return { headers, ...(used.length > 0 ? { parameters: Object.fromEntries(used) } : {}) }
}

const header = (description: string, type: 'string' | 'integer' = 'string'): Json => ({ description, schema: { type } })

const headers = {
  RequestId: header('The caller’s own x-request-id, or the one that this service gave the request'),
  IdempotentReplayed: header('`true` where the answer is the first one of this Idempotency-Key, sent again'),
  RetryAfter: header('How many seconds to wait before the next request', 'integer'),
  RateLimit: header('What is left of the caller’s limit, and in how many seconds it is renewed'),
  RateLimitPolicy: header('The caller’s limit, and the seconds that it counts for'),
}

const keyParameter = (kept: string): Json => ({
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: [
    'Makes the request repeatable: a repeat gets the first answer, with `Idempotent-Replayed: true`, and acts once.',
    'A key belongs to its caller, the method and the path; another caller’s same word is another key.',
    kept,
    'With another body or query the key is refused (422), while its first request is under way as well (409).',
    'A request that failed leaves no trace: it may be repeated with its key.',
    'X-Idempotency-Key is taken as well.',
  ].join(' '),
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
})

const parameters = {
  IdempotencyKey: keyParameter('It is kept for 24 hours.'),
  LastingIdempotencyKey: keyParameter('It is kept forever, for the request moves money.'),
}
