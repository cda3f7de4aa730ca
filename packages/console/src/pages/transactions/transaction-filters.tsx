import type { Asset } from '../../api/names'
import type { FilterField } from '../../ui/filters'
import type { Option } from '../../ui/options'

export const filterNames = [
  'q',
  'type',
  'status',
  'assetId',
  'network',
  'from',
  'to',
  'minUsd',
  'accountId',
  'customerId',
] as const
export type FilterName = (typeof filterNames)[number]

const types = ['DEPOSIT', 'WITHDRAWAL', 'TRANSFER'] as const
const statuses = ['PENDING', 'FROZEN', 'APPROVED', 'COMPLETED', 'REJECTED', 'FAILED'] as const

/** The fields above the list; an institution chooses one of its accounts. */
export function fieldsOf(assets: readonly Asset[], accounts: readonly Option[] = []): FilterField<FilterName>[] {
  const networks = [...new Set(assets.map(({ blockchain }) => blockchain))].sort()
  const byCode = assets.map(({ id, code, blockchain }) => [id, `${code} on ${blockchain}`] as const)
  return [
    accounts.length > 0
      ? { kind: 'choice', name: 'accountId', label: 'Account', options: accounts }
      : { kind: 'text', name: 'accountId', label: 'Account', isOnlySet: true },
    { kind: 'text', name: 'q', label: 'Reference, hash or address', isWide: true },
    { kind: 'choice', name: 'type', label: 'Type', options: types },
    { kind: 'choice', name: 'status', label: 'Status', options: statuses },
    { kind: 'choice', name: 'assetId', label: 'Asset', options: byCode },
    { kind: 'choice', name: 'network', label: 'Network', options: networks.map((name) => [name, name] as const) },
    { kind: 'period', name: 'from', to: 'to', label: 'Days' },
    { kind: 'text', name: 'minUsd', label: 'At least so many USD', isOnlySet: true },
    { kind: 'text', name: 'customerId', label: 'Customer', isOnlySet: true },
  ]
}
