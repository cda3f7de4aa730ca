import { searchRoutes, service } from '@bursar/http'
import { addressRoutes } from './addresses/addresses.routes'
import { internalTokenRoutes } from './assets/internal-tokens.routes'
import type { BlockchainDeps } from './deps'
import { simulatedRoutes } from './pay-in/pay-in.routes'
import { paidOrderRoutes } from './restore/paid-orders.routes'
import { sendOrderRoutes, sendStateRoutes } from './sends/internal-sends.routes'
import { sendRoutes } from './sends/sends.routes'
import { internalSignatureRoutes } from './signatures/internal-signatures.routes'
import { internalNetworkRoutes } from './status/internal-networks.routes'
import { networkRoutes } from './status/networks.routes'
import { findHits } from './transactions/find-hits'
import { transactionRoutes } from './transactions/transactions.routes'
import { movementChangeRoutes, toldMovementRoutes } from './transfers/internal-movements.routes'
import { internalTransferRoutes, watchRoutes } from './transfers/internal-transfers.routes'

/** The blockchain service (spec 3, Blockchain service): balances, history and transactions on the networks. */
export const createApp = (deps: BlockchainDeps) =>
  service({
    ...deps,
    name: 'blockchain',
    description: 'Balances and history of addresses, and transactions, on real and simulated networks.',
    shape: 'object',
    tags: {
      Addresses: 'Balances and movements of addresses',
      Transactions: 'Transactions on the networks',
      Networks: 'The state of networks, and pending sends',
      Simulated: 'Networks simulated without an RPC URL',
    },
  })
    .use(addressRoutes(deps))
    .use(transactionRoutes(deps))
    .use(networkRoutes(deps))
    .use(sendRoutes(deps))
    .use(simulatedRoutes(deps))
    .use(internalNetworkRoutes(deps))
    .use(sendOrderRoutes(deps))
    .use(sendStateRoutes(deps))
    .use(paidOrderRoutes(deps))
    .use(internalSignatureRoutes(deps))
    .use(internalTokenRoutes(deps))
    .use(watchRoutes(deps))
    .use(internalTransferRoutes(deps))
    .use(toldMovementRoutes(deps))
    .use(movementChangeRoutes(deps))
    .use(searchRoutes(deps, ({ q }) => findHits(deps, q)))
