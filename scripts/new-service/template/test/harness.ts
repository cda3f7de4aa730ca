import { refusedAs, testService } from '@bursar/testing/service'
import { createApp } from '../src/app'
import { migrations } from '../src/service'

export { nobody, type TestService, uuidExpected } from '@bursar/testing/service'

/** The real app on a database of its own. */
export const openService = () => testService({ name: 'transaction-manager', migrations, app: createApp })

/** The words of an error, after looking at the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')
