import { service } from '@bursar/http'
import { assetRoutes } from './assets/assets.routes'
import { balanceRoutes } from './balances/balances.routes'
import type { LedgerDeps } from './deps'
import { gatewayRoutes } from './gateway/gateway.routes'
import { overviewRoutes } from './overview/overview.routes'
import { portfolioRoutes } from './portfolio/portfolio.routes'
import { transactionRoutes } from './transactions/transactions.routes'

/** The core ledger (spec 2): assets, transactions, balances; portfolios and overview in their gateway form. */
export const createApp = (deps: LedgerDeps) =>
  service({
    ...deps,
    name: 'core-ledger',
    description: 'Assets, transactions with screening and review, balances, portfolios and the overview.',
    shape: 'message',
  })
    .use(assetRoutes(deps))
    .use(transactionRoutes(deps))
    .use(balanceRoutes(deps))
    .use(gatewayRoutes(deps))
    .use(portfolioRoutes(deps))
    .use(overviewRoutes(deps))
