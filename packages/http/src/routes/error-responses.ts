/**
 * Documents in a route's `detail` the failures that it answers besides the usual ones, and when:
 * `detail: { summary: 'Create an asset', responses: errorResponses({ 409: 'The code is taken' }) }`. Their body is the
 * service's error body. Usual, and added without declaring: 400 where a route takes input, 404 where its path has a
 * parameter, 413 where it takes a body, 409 and 422 about the idempotency key of a POST, 500, and 503 where it writes. Naming one of
 * these replaces the usual description by the route's own.
 */
export const errorResponses = (statuses: Readonly<Record<number, string>>): Record<string, { description: string }> =>
  Object.fromEntries(Object.entries(statuses).map(([status, description]) => [status, { description }]))
