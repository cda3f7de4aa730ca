import { batchAnswer, batchOf } from '@bursar/contracts/batch'
import { getHoldings, getNetworks, getTransactionParties } from '@bursar/contracts/blockchain'
import { t, text } from '@bursar/contracts/schema'
import { answerEach, internalRoutes, response } from '@bursar/http'
import type { BlockchainDeps } from '../deps'
import { holdingsOf, holdingsOfMany, listNetworks, partiesOf } from './internal-networks'

/** Called by other services only (contracts/blockchain.ts): networks, holdings and the parties of transactions. */
export const internalNetworkRoutes = ({ identity, networks, store }: BlockchainDeps) =>
  internalRoutes(identity, '/internal')
    .get('/networks', () => listNetworks(store.read, networks), { response: { 200: response(getNetworks.answer) } })
    .get(
      '/addresses/:network/:address/holdings',
      ({ params }) => holdingsOf(store.read, networks, params.network, params.address),
      {
        params: t.Object({ network: text(128), address: text(128) }),
        response: { 200: response(getHoldings.answer) },
      },
    )
    .post(
      '/holdings/:network',
      ({ params, body }) =>
        answerEach(body.items, String, holdingsOfMany(store.read, networks, params.network, body.items)),
      {
        params: t.Object({ network: text(128) }),
        body: batchOf(text(128)),
        response: { 200: response(batchAnswer(getHoldings.answer)) },
      },
    )
    .get('/transactions/:network/:txHash/parties', ({ params }) => partiesOf(networks, params.network, params.txHash), {
      params: t.Object({ network: text(128), txHash: text(128) }),
      response: { 200: response(getTransactionParties.answer) },
    })
