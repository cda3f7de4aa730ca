import { searchRoutes, service } from '@bursar/http'
import type { WalletDeps } from './deps'
import { feeBalanceRoutes } from './fees/fee-balances.routes'
import { knownOrderRoutes } from './orders/known-orders.routes'
import { orderRoutes } from './orders/orders.routes'
import { signatureRoutes } from './orders/signatures.routes'
import { withdrawalOrderRoutes, withdrawalRecordRoutes } from './orders/withdrawals.routes'
import { portfolioRoutes } from './portfolio/portfolio.routes'
import { heldOrderRoutes } from './restore/held-orders.routes'
import { signingRoutes } from './signing/signing.routes'
import { ownAddressRoutes } from './token-accounts/own-addresses.routes'
import { tokenAccountRoutes } from './token-accounts/token-accounts.routes'
import { findHits } from './wallets/find-hits'
import { internalWalletRoutes } from './wallets/internal-wallets.routes'
import { walletRoutes } from './wallets/wallets.routes'

/** The wallet service (spec 3, Wallet service): addresses, token accounts, and the keys that sign for them. */
export const createApp = (deps: WalletDeps) =>
  service({
    ...deps,
    name: 'wallet',
    description: 'Wallets of accounts, their token accounts, and the keys that pay and sign for them.',
    shape: 'object',
    tags: {
      Wallets: 'The addresses of accounts',
      'Token accounts': 'Addresses to which an account’s tokens are sent',
      Withdrawals: 'Orders to pay out',
    },
  })
    .use(walletRoutes(deps))
    .use(feeBalanceRoutes(deps))
    .use(orderRoutes(deps))
    .use(tokenAccountRoutes(deps))
    .use(internalWalletRoutes(deps))
    .use(ownAddressRoutes(deps))
    .use(withdrawalOrderRoutes(deps))
    .use(withdrawalRecordRoutes(deps))
    .use(heldOrderRoutes(deps))
    .use(signingRoutes(deps))
    .use(signatureRoutes(deps))
    .use(knownOrderRoutes(deps))
    .use(portfolioRoutes(deps))
    .use(searchRoutes(deps, (sought) => findHits(deps, sought)))
