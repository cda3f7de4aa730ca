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

/** The real app on a database of its own. `urls` says where its peers are; the others cannot be reached. */
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

/** The error of an answer, after looking at the rest of it (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** The refusal of a path whose id is no UUID. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }
