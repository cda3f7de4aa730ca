import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { NotificationDeps } from '../src/deps'
import { definition } from '../src/service'

export { nobody, uuidExpected } from '@bursar/testing/service'

export type TestNotification = TestService<NotificationDeps>

/** The real app on a database of its own. */
export const openService = (): Promise<TestNotification> =>
  testService({ name: 'notification', definition: definition(config({})) })

/** The error of an answer, after a look at the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
