import { useState } from 'preact/hooks'
import type { components } from '#types/quote'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, quote } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters, useFilters } from '../../ui/filters'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Badge } from '../../ui/status'
import { LastRate } from './last-rate'
import { UsdRate } from './usd-rate'

type Asset = components['schemas']['AssetWithRelations']

const limit = 50

/** The assets that have rates, each with its last rate. */
export function Assets() {
  const filters = useFilters(['name', 'code'])
  const [offset, setOffset] = useState(0)
  const query = { ...givenFilters(filters.values), limit, offset, sortBy: 'name' as const, sortOrder: 'asc' as const }
  const page = useQuery({
    queryKey: ['quote-assets', query],
    queryFn: ({ signal }) => dataOf(quote.GET('/assets', { params: { query }, signal })),
  })
  return (
    <>
      <Filters
        label="Filter assets"
        of={filters}
        fields={[
          { kind: 'text', name: 'name', label: 'Name' },
          { kind: 'text', name: 'code', label: 'Code' },
        ]}
      />
      <DataTable
        label="Assets"
        columns={columns}
        list={{ ...wholeList({ ...page, data: page.data?.data }), total: page.data?.pageInfo.total ?? null }}
        idOf={({ id }) => id}
        hrefOf={({ id }) => `/console/rates/${id}`}
        empty={
          <Empty icon="rates" title={filters.hasAny ? 'No asset matches these filters' : 'There is no asset yet'}>
            {filters.hasAny ? null : <p>Administrators create assets by the quote service’s API.</p>}
          </Empty>
        }
      />
      <Pagination
        offset={offset}
        limit={limit}
        count={page.data?.data.length ?? 0}
        total={page.data?.pageInfo.total}
        onChange={setOffset}
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
  {
    head: 'Rate',
    align: 'end',
    narrow: 'end',
    cell: ({ id, staticValue }) => (staticValue === null ? <LastRate id={id} /> : <UsdRate value={staticValue} />),
  },
  {
    head: 'As of',
    align: 'end',
    narrow: 'sub-end',
    cell: ({ id, staticValue }) =>
      staticValue === null ? <LastRate id={id} isAge /> : <span class="none">fixed</span>,
  },
]
