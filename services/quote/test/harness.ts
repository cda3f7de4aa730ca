import { tempDir } from '@bursar/testing'
import { type Answer, refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { createApp } from '../src/app'
import { config as readConfig } from '../src/config'
import { createCredentials } from '../src/providers/credentials'
import { migrations } from '../src/service'

export { type Answer, nobody } from '@bursar/testing/service'

export interface TestQuote extends TestService {
  credentials: ReturnType<typeof createCredentials>
}

/** The real app on a real database in a folder of its own. */
export async function testQuote(options: { env?: Record<string, string> } = {}): Promise<TestQuote> {
  const dataDir = tempDir()
  const config = readConfig({ DATA_DIR: dataDir, ...options.env })
  const credentials = createCredentials(Buffer.alloc(32, 7))
  const service = await testService({
    name: 'quote',
    migrations,
    dataDir,
    app: (deps) => createApp({ ...deps, config, credentials }),
  })
  return { ...service, credentials }
}

const refusal = refusedAs('message')

/** The message of an error, after looking at the rest of its body (spec 1, Errors: Body shape). */
export const refused = (answer: Answer, status: number): string | string[] => refusal(answer, status).message

/** What a UUID in a path that is none is answered with. */
export const notUuid = uuidExpected
