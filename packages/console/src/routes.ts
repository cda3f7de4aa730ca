import type { VNode } from 'preact'
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
  /** In the navigation: its icon, its section, and the key after `g`. Pages of a single record have none. */
  readonly nav?: { readonly icon: IconName; readonly section: Section; readonly key: string }
  readonly page: ReturnType<typeof page>
}

export const sections = ['Work', 'Records', 'Money', 'Watch', 'Manage'] as const
type Section = (typeof sections)[number]

const staff: readonly Role[] = ['admin', 'operator', 'viewer']
const institution: readonly Role[] = ['participant-admin', 'participant-user']
const custodian: readonly Role[] = ['custodian-admin', 'custodian-user']

type Load = () => Promise<{ default: (props: RouteParams) => VNode }>
/** The page with its style, loaded before it is shown. */
const page = (load: Load) => lazy(() => loadPage(load, pagesStyle))
/** The first page comes with the shell: it waits for no script of its own. */
const firstPage = (shown: () => VNode): ReturnType<typeof page> =>
  Object.assign(shown, { preload: async () => shown }) as never

/** Every page of the console. A page is its folder below pages/, and is loaded when opened. */
export const routes: readonly ConsoleRoute[] = [
  {
    path: '/console',
    title: 'Overview',
    roles: staff,
    nav: { icon: 'overview', section: 'Work', key: 'o' },
    page: firstPage(Overview),
  },
  {
    path: '/console',
    title: 'Home',
    roles: institution,
    nav: { icon: 'overview', section: 'Work', key: 'o' },
    page: page(() => import('./pages/home')),
  },
  {
    path: '/console',
    title: 'Home',
    roles: custodian,
    nav: { icon: 'overview', section: 'Work', key: 'o' },
    page: page(() => import('./pages/home/custodian')),
  },
  {
    path: '/console/review',
    title: 'Review queue',
    roles: staff,
    nav: { icon: 'review', section: 'Work', key: 'r' },
    page: page(() => import('./pages/review')),
  },
  {
    path: '/console/transactions',
    title: 'Transactions',
    roles: [...staff, ...institution],
    nav: { icon: 'transactions', section: 'Work', key: 't' },
    page: page(() => import('./pages/transactions')),
  },
  {
    path: '/console/transactions/:id',
    title: 'Transaction',
    roles: [...staff, ...institution],
    page: page(() => import('./pages/transactions/story')),
  },
  {
    path: '/console/accounts',
    title: 'Accounts',
    roles: [...staff, ...institution],
    nav: { icon: 'accounts', section: 'Records', key: 'a' },
    page: page(() => import('./pages/accounts')),
  },
  {
    path: '/console/accounts/:id',
    title: 'Account',
    roles: [...staff, ...institution],
    page: page(() => import('./pages/accounts/one')),
  },
  {
    path: '/console/customers',
    title: 'Customers',
    roles: [...staff, ...institution],
    nav: { icon: 'customers', section: 'Records', key: 'c' },
    page: page(() => import('./pages/customers')),
  },
  {
    path: '/console/customers/:id',
    title: 'Customer',
    roles: [...staff, ...institution],
    page: page(() => import('./pages/customers/one')),
  },
  {
    path: '/console/participants',
    title: 'Participants',
    roles: staff,
    nav: { icon: 'participants', section: 'Records', key: 'p' },
    page: page(() => import('./pages/participants')),
  },
  {
    path: '/console/participants/:id',
    title: 'Participant',
    roles: [...staff, ...institution],
    page: page(() => import('./pages/participants/one')),
  },
  {
    path: '/console/bank',
    title: 'Bank money',
    roles: [...staff, ...custodian],
    nav: { icon: 'bank', section: 'Money', key: 'b' },
    page: page(() => import('./pages/bank')),
  },
  {
    path: '/console/bank/:id',
    title: 'Payment',
    roles: [...staff, ...institution],
    page: page(() => import('./pages/bank/one')),
  },
  {
    path: '/console/statements',
    title: 'Statements',
    roles: institution,
    nav: { icon: 'audit', section: 'Money', key: 'm' },
    page: page(() => import('./pages/statements')),
  },
  {
    path: '/console/statements',
    title: 'Statement',
    roles: staff,
    page: page(() => import('./pages/statements')),
  },
  {
    path: '/console/chain',
    title: 'Wallets and chains',
    roles: staff,
    nav: { icon: 'chain', section: 'Money', key: 'w' },
    page: page(() => import('./pages/chain')),
  },
  {
    path: '/console/rates',
    title: 'Rates',
    roles: staff,
    nav: { icon: 'rates', section: 'Money', key: 'q' },
    page: page(() => import('./pages/rates')),
  },
  {
    path: '/console/rates/:id',
    title: 'Rates of an asset',
    roles: staff,
    page: page(() => import('./pages/rates/one')),
  },
  {
    path: '/console/sanctions',
    title: 'Sanctions',
    roles: staff,
    nav: { icon: 'sanctions', section: 'Watch', key: 's' },
    page: page(() => import('./pages/sanctions')),
  },
  {
    path: '/console/webhooks',
    title: 'Webhooks',
    roles: [...staff, ...institution],
    nav: { icon: 'webhooks', section: 'Watch', key: 'k' },
    page: page(() => import('./pages/webhooks')),
  },
  {
    path: '/console/log',
    title: 'Activity log',
    roles: staff,
    nav: { icon: 'log', section: 'Watch', key: 'l' },
    page: page(() => import('./pages/log')),
  },
  {
    path: '/console/health',
    title: 'Health',
    roles: staff,
    nav: { icon: 'health', section: 'Watch', key: 'h' },
    page: page(() => import('./pages/health')),
  },
  {
    path: '/console/institution',
    title: 'Your institution',
    roles: institution,
    nav: { icon: 'participants', section: 'Manage', key: 'i' },
    page: page(() => import('./pages/home/institution')),
  },
  {
    path: '/console/keys',
    title: 'API keys',
    roles: institution,
    nav: { icon: 'key', section: 'Manage', key: 'y' },
    page: page(() => import('./pages/keys')),
  },
  {
    path: '/console/users',
    title: 'Users',
    roles: ['admin', 'participant-admin', 'custodian-admin'],
    nav: { icon: 'users', section: 'Manage', key: 'u' },
    page: page(() => import('./pages/users')),
  },
  {
    path: '/console/audit',
    title: 'Audit trail',
    roles: staff,
    nav: { icon: 'audit', section: 'Manage', key: 'd' },
    page: page(() => import('./pages/audit')),
  },
]

/** The pages that these roles see. */
export const routesFor = (roles: readonly Role[]): ConsoleRoute[] =>
  routes.filter((route) => route.roles.some((role) => roles.includes(role)))

/** The page of a path as staff see it, so that it loads while the session is read. */
export const pageAt = (path: string): ConsoleRoute['page'] | undefined =>
  routes.find((route) => exec(path, route.path) !== undefined)?.page
