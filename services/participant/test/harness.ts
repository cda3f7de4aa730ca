import { dirname } from 'node:path'
import type { Envelope } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import { refusedAs, type TestService, testService, uuidExpected } from '@bursar/testing/service'
import { accountConsumers } from '../src/accounts/accounts.consumer'
import { createApiKeys } from '../src/api-keys/api-keys'
import { createApp } from '../src/app'
import { customerConsumers } from '../src/customers/customers.consumer'
import { type SagaTuning, startSagas } from '../src/sagas/sagas'
import { migrations } from '../src/service'

export { nobody } from '@bursar/testing/service'

export interface TestParticipants extends TestService {
  /** All events about a participant, in order. */
  eventsOf(id: string): Promise<Envelope[]>
}

/**
 * The real app on a real database. `urls` says where its peers are; the others cannot be reached. With the `file` of one
 * that was closed it starts again where that ended.
 */
export async function testParticipants(
  urls: Partial<Record<ServiceName, string>> = {},
  options: { file?: string; tuning?: Partial<SagaTuning> } = {},
): Promise<TestParticipants> {
  const apiKeys = createApiKeys(Buffer.alloc(32, 7))
  const tuning = { retryMs: 20, longestRetryMs: 100, ...options.tuning }
  const service = await testService({
    name: 'participant',
    migrations,
    app: (deps) => createApp({ ...deps, apiKeys, sagas: startSagas(deps, tuning) }),
    consumers: ({ store }) => [...customerConsumers(store), ...accountConsumers(store)],
    urls,
    ...(options.file === undefined ? {} : { dataDir: dirname(options.file) }),
  })
  return {
    ...service,
    eventsOf: async (id) => (await service.events()).filter(({ data }) => (data as { id: string }).id === id),
  }
}

let made = 0
const next = () => ++made

/** A body for POST /participants, with a key of its own. */
export const plain = (fields: object = {}) => ({
  institutionName: 'First Bank',
  authConsumerId: `sk_live_${next()}`,
  customers: [],
  ...fields,
})

/** A customer in such a body, with an external id of its own. */
export const customer = (fields: object = {}) => ({
  externalId: `ext-${next()}`,
  status: 'active',
  accounts: [] as object[],
  ...fields,
})

/** An account of such a customer. */
export const account = (fields: object = {}) => ({ type: 'STABLECOINS', status: 'active', name: 'Main', ...fields })

/** The error of an answer, after looking at the rest of it (spec 3, Errors, first shape). */
export const refused = refusedAs('object')

/** What a UUID in a path that is none is answered with. */
export const notUuid = { code: 'INVALID_REQUEST', message: uuidExpected }
