import { networkName } from '@bursar/contracts/network-name'
import { idempotencyKeys, idempotent, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { payIn } from './pay-in'
import { ByNetwork, NewSimulatedDeposit, SimulatedDeposit } from './pay-in.model'

/** Not in the specification: simulated deposits, to try the platform without a node. */
export function simulatedRoutes(deps: BlockchainDeps) {
  const once = idempotent(deps, { keep: 'forever' })
  return new Elysia({ prefix: '/simulated', tags: ['Simulated'] }).post(
    '/:network/deposits',
    ({ request, set, params, body }) =>
      once({ request, set }, async (reply) => {
        const pay = await payIn(deps, params.network, body)
        const answer = await deps.store.commit(async (tx) => reply(tx, 201, await pay(tx)))
        deps.wakes.wake('transfers', networkName(params.network) ?? '')
        return answer
      }),
    {
      params: ByNetwork,
      body: NewSimulatedDeposit,
      response: { 201: response(SimulatedDeposit) },
      detail: operation('createSimulatedDeposit', 'Simulate a deposit to an address of a simulated network', {
        ...idempotencyKeys('forever'),
      }),
    },
  )
}
