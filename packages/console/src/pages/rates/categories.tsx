import { useState } from 'preact/hooks'
import type { components } from '#types/quote'
import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, quote } from '../../api/services'
import { type Column, DataTable } from '../../ui/data-table'
import { Pagination } from '../../ui/pagination'
import { Empty } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'

type Category = components['schemas']['CategoryWithRelations']

const limit = 50

/** Groups of assets that share providers. */
export function Categories() {
  const [offset, setOffset] = useState(0)
  const page = useQuery({
    queryKey: ['quote-categories', offset],
    queryFn: ({ signal }) => dataOf(quote.GET('/categories', { params: { query: { limit, offset } }, signal })),
  })
  return (
    <>
      <DataTable
        label="Categories"
        columns={columns}
        list={{ ...wholeList({ ...page, data: page.data?.data }), total: page.data?.pageInfo.total ?? null }}
        idOf={({ id }) => id}
        empty={
          <Empty icon="rates" title="There is no category yet">
            Assets do not need one.
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

const columns: Column<Category>[] = [
  { head: 'Category', narrow: 'lead', cell: ({ name }) => <b>{name}</b> },
  { head: 'Description', cell: ({ description }) => description },
  {
    head: 'Providers',
    cell: ({ categoryProviders }) =>
      categoryProviders.length > 0 ? (
        categoryProviders.map(({ provider }) => provider.name).join(', ')
      ) : (
        <span class="none">the default ones</span>
      ),
  },
  {
    head: 'Assets',
    cell: ({ assets }) =>
      assets.length === 0 ? null : (
        <span class="rate-badges">
          {assets.map(({ id, code }) => (
            <a key={id} href={`/console/rates/${id}`}>
              <Badge>{code}</Badge>
            </a>
          ))}
        </span>
      ),
  },
  { head: 'Changed', narrow: 'sub', cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]
