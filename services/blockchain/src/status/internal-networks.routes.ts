import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { getHoldings, getNetworks, getTransactionParties } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, requireService, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { BlockchainDeps } from '../deps'
import { holdingsOf, listNetworks, partiesOf } from './internal-networks'

/** Called by other services only (contracts/blockchain.ts): networks, holdings and the parties of transactions. */
export const internalNetworkRoutes = ({ identity, networks, store }: BlockchainDeps) =>
  new Elysia({ prefix: '/internal', detail: { hide: true } })
    .get(
      '/networks',
      async ({ request }) => {
        await requireService(identity, request)
        return await listNetworks(store.read, networks)
      },
      { response: { 200: response(getNetworks.answer) } },
    )
    .get(
      '/addresses/:network/:address/holdings',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await holdingsOf(store.read, networks, params.network, params.address)
      },
      {
        params: t.Object({ network: text(128), address: text(128) }),
        response: { 200: response(getHoldings.answer) },
      },
    )
    .post(
      '/holdings/:network',
      async ({ request, params, body }) => {
        await requireService(identity, request)
        return await answerEach(body.items, String, (address) =>
          holdingsOf(store.read, networks, params.network, address),
        )
      },
      {
        params: t.Object({ network: text(128) }),
        body: batchOf(text(128)),
        response: { 200: response(batchAnswer(getHoldings.answer)) },
      },
    )
    .get(
      '/transactions/:network/:txHash/parties',
      async ({ request, params }) => {
        await requireService(identity, request)
        return await partiesOf(networks, params.network, params.txHash)
      },
      {
        params: t.Object({ network: text(128), txHash: text(128) }),
        response: { 200: response(getTransactionParties.answer) },
      },
    )
