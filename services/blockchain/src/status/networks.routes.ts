import { t } from '@bursar/contracts/schema'
import { createSingleFlight, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { networkStatuses } from './network-status'
import { NetworkStatus } from './network-status.model'

/** Not in the specification: the state of the networks, for operators. */
export function networkRoutes(deps: BlockchainDeps) {
  const flight = createSingleFlight<NetworkStatus[]>()
  return new Elysia({ prefix: '/networks', tags: ['Networks'] }).get(
    '/',
    () => flight('networks', () => networkStatuses(deps)),
    {
      response: { 200: response(t.Array(NetworkStatus)) },
      detail: operation('listNetworks', 'List the networks with their newest block and the progress of reading them'),
    },
  )
}
