import { type Deps, searchRoutes, service } from '@bursar/http'
import { creditLineRoutes, internalCreditLineRoutes } from './credit-lines/credit-lines.routes'
import { listRoutes } from './lists/lists.routes'
import { findHits } from './lists/search'
import { paymentCommands } from './payments/commands'
import { depositRoutes } from './payments/deposits.routes'
import { internalPaymentRoutes, transactionRoutes } from './payments/transactions.routes'
import { transferRoutes } from './payments/transfers.routes'
import { withdrawalRoutes } from './payments/withdrawals.routes'

/** The transaction manager (spec 3, Transaction manager): deposits, withdrawals and transfers between banks. */
export function createApp(deps: Deps) {
  const commands = paymentCommands(deps)
  return service({
    ...deps,
    name: 'transaction-manager',
    description: 'Deposits, withdrawals and transfers between the custodian banks of participants.',
    shape: 'object',
    tags: {
      Transactions: 'Payments of all types',
      Deposits: 'Incoming money',
      Withdrawals: 'Outgoing money',
      Transfers: 'Money between participants',
    },
  })
    .use(listRoutes(deps))
    .use(transactionRoutes(deps))
    .use(depositRoutes(deps, commands))
    .use(withdrawalRoutes(commands))
    .use(transferRoutes(deps, commands))
    .use(internalPaymentRoutes(deps))
    .use(searchRoutes(deps, (sought) => findHits(deps.store.read, sought)))
    .use(creditLineRoutes(deps))
    .use(internalCreditLineRoutes(deps))
}
