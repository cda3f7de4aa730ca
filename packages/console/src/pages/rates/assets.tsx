import type { components } from '#types/quote'
import { useList } from '../../api/list'
import { useRead } from '../../api/read'
import { bodyPageOf, quote } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Empty } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Ago } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { UsdRate } from './usd-rate'

type Asset = components['schemas']['AssetWithRelations']

/** The assets that have rates, each with its last rate. */
export function Assets() {
  const filters = useFilters(['name', 'code'])
  const given = givenFilters(filters.values)
  const list = useList<Asset>({
    key: ['quote-assets', given],
    page: (_after, limit, signal, offset) => {
      const query = { ...given, limit, offset, sortBy: 'name' as const, sortOrder: 'asc' as const }
      return bodyPageOf(quote.GET('/assets', { params: { query }, signal }))
    },
  })
  return (
    <>
      <Filters
        label="Filter assets"
        of={filters}
        fields={[
          { kind: 'text', name: 'name', label: 'Name', isWide: true },
          { kind: 'text', name: 'code', label: 'Code' },
        ]}
      />
      <DataTable
        label="Assets"
        columns={columns}
        list={list}
        hrefOf={({ id }) => `/console/rates/${id}`}
        empty={
          <Empty icon="rates" title={filters.hasAny ? 'No asset matches these filters' : 'There is no asset yet'}>
            {filters.hasAny ? null : <p>Administrators create assets by the quote service’s API.</p>}
          </Empty>
        }
      />
    </>
  )
}

const columns: Column<Asset>[] = [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ code, name }) => (
      <span>
        <b>{code}</b> <span class="none">{name}</span>
      </span>
    ),
  },
  {
    head: 'Category',
    narrow: 'sub',
    cell: ({ category }) => category?.name,
  },
  {
    head: 'Own providers',
    cell: ({ staticValue, assetProviders }) =>
      staticValue !== null ? (
        <Badge tone="wait" icon="lock">
          Fixed
        </Badge>
      ) : assetProviders.length > 0 ? (
        assetProviders.map(({ provider }) => provider.name).join(', ')
      ) : null,
  },
  amountColumn(
    ({ id, staticValue }) => (staticValue === null ? <LastRate id={id} /> : <UsdRate value={staticValue} />),
    'Rate',
  ),
  {
    head: 'As of',
    align: 'end',
    narrow: 'sub-end',
    cell: ({ id, staticValue }) =>
      staticValue === null ? <LastRate id={id} isAge /> : <span class="none">fixed</span>,
  },
]

/** The last stored rate of an asset, or its age. Both cells share one request. */
function LastRate({ id, isAge = false }: { id: string; isAge?: boolean }) {
  const { data, error } = useRead(
    ['last-rate', id],
    (signal) =>
      quote.GET('/rates/history/{assetId}', { params: { path: { assetId: id }, query: { points: 2 } }, signal }),
    { refetchInterval: 120_000 },
  )
  const last = data?.points.at(-1)
  if (!last && isAge) return null
  if (!last) return <span class="none">{data ? 'never asked' : error ? 'not known' : '…'}</span>
  return isAge ? <Ago at={last.timestamp} /> : <UsdRate value={last.rate} />
}
