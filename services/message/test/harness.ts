import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { definition } from '../src/service'

/** The real app on a database of its own. */
export const testMessages = (): Promise<TestService> => testService({ name: 'message', definition: definition() })

/** The sentences of a refusal, after looking at the rest of it (spec 3, Errors, second shape). */
const refusal = refusedAs('list')
export const refused = (answer: Parameters<typeof refusal>[0], status: number): string[] =>
  refusal(answer, status).message
