import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { IdentityManagerDeps } from '../src/deps'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

export type TestIdentityManager = TestService<IdentityManagerDeps>

/** The real app on a database of its own. */
export const openService = (): Promise<TestIdentityManager> =>
  testService({ name: 'identity-manager', definition: definition(config({})) })

/** The error of an answer, after a look at the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
