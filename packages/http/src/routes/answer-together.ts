// Requests that share a commit: a refused one rolls back nothing of the others.
import { AppError } from '../errors/errors'

/** Stores the answers of those that are not refused. A refusal is returned, not thrown. */
export async function answersOf<T, R, A>(
  all: readonly R[],
  outcomes: readonly (T | AppError)[],
  answer: (request: R, outcome: T) => Promise<A>,
): Promise<(A | AppError)[]> {
  const answers: (A | AppError)[] = []
  for (const [i, request] of all.entries()) {
    const outcome = outcomes[i] as T | AppError
    answers.push(outcome instanceof AppError ? outcome : await answer(request, outcome))
  }
  return answers
}

/** The answer of one request; throws its refusal. */
export function unlessRefused<A>(answer: A | AppError): A {
  if (answer instanceof AppError) throw answer
  return answer
}

/** The result, or the refusal that was thrown. */
export function orRefusal<T>(make: () => T): T | AppError {
  try {
    return make()
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}
