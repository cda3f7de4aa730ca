import { h, type VNode } from 'preact'
import lazy from 'preact-iso/lazy'
import { exec } from 'preact-iso/router'
import type { Role } from './api/session'
import Overview from './pages/overview'
import type { IconName } from './ui/icon-paths'
import { loadPage, type RouteParams } from './ui/load-page'
import { pagesStyle } from './ui/pages-style'

export interface ConsoleRoute {
  readonly path: string
  readonly title: string
  /** The roles that see it; the gateway checks every request again. */
  readonly roles: readonly Role[]
  /** In the navigation: its section, the key after `g`, and its icon. Pages of a single record have none. */
  readonly nav: readonly [section: Section, key: string, icon: IconName] | undefined
  readonly page: ReturnType<typeof page>
}

export const sections = ['Work', 'Records', 'Money', 'Watch', 'Manage'] as const
type Section = (typeof sections)[number]

const staff: readonly Role[] = ['admin', 'operator', 'viewer']
const institution: readonly Role[] = ['participant-admin', 'participant-user']
const both = [...staff, ...institution]
const custodian: readonly Role[] = ['custodian-admin', 'custodian-user']

type Load = () => Promise<{ default: (props: RouteParams) => VNode }>
/** The page with its style, loaded before it is shown. At another path it begins anew: dialogs are about one record. */
const page = (load: Load) =>
  lazy(async () => {
    const { default: Page } = await loadPage(load, pagesStyle)
    return { default: (props: RouteParams & { path: string }) => h(Page, { ...props, key: props.path }) }
  })
/** The first page comes with the shell: it waits for no script of its own. */
const overview: ReturnType<typeof page> = Object.assign(Overview, { preload: async () => Overview }) as never

const at = (
  path: string,
  title: string,
  roles: readonly Role[],
  load: Load | null,
  nav?: ConsoleRoute['nav'],
): ConsoleRoute => ({ path: `/console${path}`, title, roles, page: load ? page(load) : overview, nav })

/** Every page of the console. A page is its folder below pages/, and is loaded when opened. */
export const routes: readonly ConsoleRoute[] = [
  at('', 'Overview', staff, null, ['Work', 'o', 'overview']),
  at('', 'Home', institution, () => import('./pages/home'), ['Work', 'o', 'overview']),
  at('', 'Home', custodian, () => import('./pages/home/custodian'), ['Work', 'o', 'overview']),
  at('/review', 'Review queue', staff, () => import('./pages/review'), ['Work', 'r', 'review']),
  at('/transactions', 'Transactions', both, () => import('./pages/transactions'), ['Work', 't', 'transactions']),
  at('/transactions/:id', 'Transaction', both, () => import('./pages/transactions/story')),
  at('/accounts', 'Accounts', both, () => import('./pages/accounts'), ['Records', 'a', 'accounts']),
  at('/accounts/:id', 'Account', both, () => import('./pages/accounts/one')),
  at('/customers', 'Customers', both, () => import('./pages/customers'), ['Records', 'c', 'customers']),
  at('/customers/:id', 'Customer', both, () => import('./pages/customers/one')),
  at('/participants', 'Participants', staff, () => import('./pages/participants'), ['Records', 'p', 'participants']),
  at('/participants/:id', 'Participant', both, () => import('./pages/participants/one')),
  at('/bank', 'Bank money', [...staff, ...custodian], () => import('./pages/bank'), ['Money', 'b', 'bank']),
  at('/bank/:id', 'Payment', both, () => import('./pages/bank/one')),
  at('/statements', 'Statements', institution, () => import('./pages/statements'), ['Money', 'm', 'audit']),
  at('/statements', 'Statement', staff, () => import('./pages/statements')),
  at('/chain', 'Wallets and chains', staff, () => import('./pages/chain'), ['Money', 'w', 'chain']),
  at('/rates', 'Rates', staff, () => import('./pages/rates'), ['Money', 'q', 'rates']),
  at('/rates/:id', 'Rates of an asset', staff, () => import('./pages/rates/one')),
  at('/sanctions', 'Sanctions', staff, () => import('./pages/sanctions'), ['Watch', 's', 'sanctions']),
  at('/webhooks', 'Webhooks', both, () => import('./pages/webhooks'), ['Watch', 'k', 'webhooks']),
  at('/log', 'Activity log', staff, () => import('./pages/log'), ['Watch', 'l', 'log']),
  at('/health', 'Health', staff, () => import('./pages/health'), ['Watch', 'h', 'health']),
  at('/institution', 'Your institution', institution, () => import('./pages/participants/one'), [
    'Manage',
    'i',
    'participants',
  ]),
  at('/keys', 'API keys', institution, () => import('./pages/keys'), ['Manage', 'y', 'key']),
  at('/users', 'Users', ['admin', 'participant-admin', 'custodian-admin'], () => import('./pages/users'), [
    'Manage',
    'u',
    'users',
  ]),
  at('/audit', 'Audit trail', staff, () => import('./pages/audit'), ['Manage', 'd', 'audit']),
]

/** The pages that these roles see. */
export const routesFor = (roles: readonly Role[]): ConsoleRoute[] =>
  routes.filter((route) => route.roles.some((role) => roles.includes(role)))

/** The page of a path as staff see it, so that it loads while the session is read. */
export const pageAt = (path: string): ConsoleRoute['page'] | undefined =>
  routes.find((route) => exec(path, route.path) !== undefined)?.page
