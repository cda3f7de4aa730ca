import type { ServiceName } from '@bursar/contracts/services'
import { table } from '../access/table'

type Values = Readonly<Record<string, string>>
type Reads = Partial<Record<ServiceName, Readonly<Record<string, string>>>>

/**
 * The route that reads the object of an action, where it is not the longest prefix of the route's own path that
 * GET serves (`PUT /accounts/:id` is read by GET /accounts/:id). Values come from the path, else from the
 * body. Users are read by contract (read-object.ts).
 */
const reads: Reads = {
  quote: {
    'DELETE /asset-providers/:assetId/providers/:providerId': '/assets/:assetId',
    'DELETE /category-providers/:id/category/:categoryId': '/categories/:categoryId',
  },
  'main-api': { 'DELETE /admin/custodian-bank/:id': '/admin/custodian-bank' },
  'core-ledger': { 'POST /transactions/complete-screening': '/transactions/:transactionId' },
  'transaction-manager': {
    'PUT /withdrawal/:transactionId': '/transactions/:transactionId',
    'PUT /withdrawal/:transactionId/update': '/transactions/:transactionId',
    'PUT /transfer/:transactionId': '/transactions/:transactionId',
    'PUT /transfer/:transactionId/review': '/transactions/:transactionId',
    'POST /transfer/cancel': '/transactions/:transactionId',
    'POST /transactions/additional-request/:transactionId': '/transactions/:transactionId',
  },
  wallet: { 'POST /wallets/:id/token-account': '/wallets/:id/token-account' },
}

/** The path that reads the object of an action; null for none. */
export function readPathOf(service: ServiceName, route: string, values: Values): string | null {
  const pattern = readPattern(service, route)
  if (pattern === null) return null
  const parts = pattern.split('/').map((part) => (part.startsWith(':') ? given(values, part.slice(1)) : part))
  return parts.every((part) => part !== undefined)
    ? parts.map((part) => encodeURIComponent(part ?? '')).join('/')
    : null
}

const given = (values: Values, name: string) => (Object.hasOwn(values, name) ? values[name] : undefined)

/** The pattern of that path: of the table above, else by the route's own path. */
export function readPattern(service: ServiceName, route: string): string | null {
  const named = reads[service]?.[route]
  if (named !== undefined) return named
  const [, path = ''] = route.split(' ')
  const rules = service === 'gateway' ? {} : table[service]
  const parts = path.split('/')
  while (parts.length > 2) {
    const pattern = parts.join('/')
    if (parts.at(-1)?.startsWith(':') && Object.hasOwn(rules, `GET ${pattern}`)) return pattern
    parts.pop()
  }
  return null
}
