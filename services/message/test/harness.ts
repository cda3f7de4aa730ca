import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import { definition } from '../src/service'

/** The real app with its own database. */
export const testMessages = (env: Record<string, string> = {}): Promise<TestService> =>
  testService({ name: 'message', definition: definition(config(env)) })

/** The messages of an error response; checks the rest of its body (spec 3, Errors, second shape). */
const refusal = refusedAs('list')
export const refused = (answer: Parameters<typeof refusal>[0], status: number): string[] =>
  refusal(answer, status).message
