import { AccountCreated, AccountUpdated } from '@bursar/contracts/account'
import type { Envelope } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import { refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { definition } from '../src/service'

export { nobody } from '@bursar/testing/service'

export interface TestAccounts extends TestService {
  /** All events about an account, in order. */
  eventsOf(id: string): Promise<Envelope[]>
}

/** The real app with its own database. `urls` gives the addresses of its peers; any other peer is unreachable. */
export async function testAccounts(urls: Partial<Record<ServiceName, string>> = {}): Promise<TestAccounts> {
  const service = await testService({ name: 'account', definition: definition(), urls })
  const names = [AccountCreated.name, AccountUpdated.name]
  return {
    ...service,
    eventsOf: async (id) =>
      (await service.events()).filter(({ name, data }) => names.includes(name) && idOf(data) === id),
  }
}

const idOf = (data: unknown) => (data as { account: { id: string } }).account.id

/** The error of a response; checks the rest of its body (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** The error for a path whose id is not a UUID. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }
