import { tempDir } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { config } from '../src/config'
import type { QuoteDeps } from '../src/deps'
import { definition } from '../src/service'

export { type Answer, nobody } from '@bursar/testing/service'

export type TestQuote = TestService<QuoteDeps>

/** The real app on a real database in its own folder. */
export async function testQuote(options: { env?: Record<string, string> } = {}): Promise<TestQuote> {
  const dataDir = tempDir()
  const settings = config({ DATA_DIR: dataDir, ...options.env })
  return await testService({ name: 'quote', dataDir, definition: definition(settings) })
}

const refusal = refusedAs('message')

/** The message of an error; checks the rest of its body (spec 1, Errors: Body shape). */
export const refused = (answer: Answer, status: number): string | string[] => refusal(answer, status).message

/** The answer to a path parameter that is not a UUID. */
export const notUuid = uuidExpected
