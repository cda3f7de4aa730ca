import { type Deps, searchRoutes, service } from '@bursar/http'
import { accountPartRoutes, accountRoutes } from './accounts/accounts.routes'
import { internalAccountRoutes } from './accounts/internal-accounts.routes'
import { searchAccounts } from './accounts/search'
import { balanceRoutes } from './balances/balances.routes'
import { participantAccountRoutes } from './participant-accounts/participant-accounts.routes'

/** The account service (spec 3, Account service): accounts, their addresses and their USD balances. */
export const createApp = (deps: Deps) =>
  service({
    ...deps,
    name: 'account',
    description: 'Accounts of customers and participants, their addresses and USD balances.',
    shape: 'object',
    tags: { Accounts: 'Holders of assets' },
  })
    .use(participantAccountRoutes(deps))
    .use(accountRoutes(deps))
    .use(accountPartRoutes(deps))
    .use(balanceRoutes(deps))
    .use(internalAccountRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchAccounts(deps.store.read, sought)))
