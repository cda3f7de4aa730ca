import { CustomerCreated, CustomerUpdated } from '@bursar/contracts/customer'
import type { Envelope } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import { refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { definition } from '../src/service'

export { nobody } from '@bursar/testing/service'

export interface TestCustomers extends TestService {
  /** All events about a customer, in order. */
  eventsOf(id: string): Promise<Envelope[]>
}

/** The real app on a database of its own. `urls` says where its peers are; the others cannot be reached. */
export async function testCustomers(urls: Partial<Record<ServiceName, string>> = {}): Promise<TestCustomers> {
  const service = await testService({ name: 'customer', definition: definition(), urls })
  const names = [CustomerCreated.name, CustomerUpdated.name]
  return {
    ...service,
    eventsOf: async (id) =>
      (await service.events()).filter(({ name, data }) => names.includes(name) && idOf(data) === id),
  }
}

const idOf = (data: unknown) => (data as { customer: { id: string } }).customer.id

/** The error of an answer, after looking at the rest of it (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** The refusal of a path whose id is no UUID. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }
