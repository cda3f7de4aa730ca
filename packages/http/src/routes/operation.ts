import type { DocumentDecoration } from 'elysia'

/** The parts of a route's documentation besides its id and summary. */
interface OperationNotes extends Omit<DocumentDecoration, 'operationId' | 'summary'> {
  /** Further failures of the route by status: when they occur. */
  [status: number]: string
}

/**
 * A route's `detail`: `operation('createAsset', 'Create an asset', { 409: 'The code is taken' })`. Statuses name
 * failures, whose body is the service's error body. The usual ones are added without naming them: 400 where a route
 * takes input, 404 where its path has a parameter, 413 where it takes a body, 409 and 422 about the idempotency key of
 * a POST, 500, and 503 where it writes. Naming one of these replaces its usual description.
 */
export function operation(operationId: string, summary: string, notes: OperationNotes = {}): DocumentDecoration {
  const isStatus = (key: string) => /^\d{3}$/.test(key)
  const failures = Object.entries(notes).filter(([key]) => isStatus(key))
  const { responses, ...others } = Object.fromEntries(Object.entries(notes).filter(([key]) => !isStatus(key)))
  const described = Object.fromEntries(failures.map(([status, description]) => [status, { description }]))
  return { ...others, operationId, summary, responses: { ...responses, ...described } }
}

/** The failures of a route that depends on `peer`: `failuresOf('The wallet service')`. */
export const failuresOf = (peer: string) => ({
  502: `${peer} gave an answer that cannot be used`,
  503: `${peer} cannot be reached`,
  504: `${peer} did not answer in time`,
})
