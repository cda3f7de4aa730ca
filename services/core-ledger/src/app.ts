import { searchRoutes, service } from '@bursar/http'
import { movementCoverRoutes } from './approvals/cover.routes'
import { assetRoutes } from './assets/assets.routes'
import type { LedgerDeps } from './deps'
import { portfolioRoutes } from './portfolios/portfolio.routes'
import { reconciliationRoutes } from './reconciliation/reconciliation.routes'
import { balanceRoutes, internalBalanceRoutes } from './reporting/balances.routes'
import { accountsBalanceRoutes } from './reporting/balances-of-accounts.routes'
import { gatewayRoutes } from './reporting/gateway.routes'
import { overviewRoutes } from './reporting/overview.routes'
import { searchTransactions } from './reporting/search'
import { statementRoutes } from './reporting/statement.routes'
import { transactionRoutes } from './transactions/transactions.routes'
import { authorisationRoutes } from './withdrawals/authorisations.routes'
import { orderRoutes } from './withdrawals/orders.routes'

/** The core ledger (spec 2): assets, transactions, balances; portfolios and overview in their gateway form. */
export const createApp = (deps: LedgerDeps) =>
  service({
    ...deps,
    name: 'core-ledger',
    description: 'Assets, transactions with screening and review, balances, portfolios and the overview.',
    shape: 'message',
    tags: {
      Assets: 'Assets on their networks',
      Transactions: 'Deposits, withdrawals and transfers, their screening and their review',
      Balances: 'Balances of accounts and customers',
      Books: 'Comparisons of the ledger with the wallet service and the chains',
      'Transactions, gateway form': 'The same transactions with their phases, in pages',
      Portfolios: 'Executing transactions and signing messages with the keys of portfolio accounts',
      Overview: 'Movements per day and holdings, in USD',
    },
  })
    .use(assetRoutes(deps))
    .use(transactionRoutes(deps))
    .use(balanceRoutes(deps))
    .use(movementCoverRoutes(deps))
    .use(accountsBalanceRoutes(deps))
    .use(internalBalanceRoutes(deps))
    .use(statementRoutes(deps))
    .use(gatewayRoutes(deps))
    .use(portfolioRoutes(deps))
    .use(overviewRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchTransactions(deps.store.read, sought)))
    .use(reconciliationRoutes(deps))
    .use(authorisationRoutes(deps))
    .use(orderRoutes(deps))
