import type { components } from '#types/quote'
import { useList } from '../../api/list'
import { bodyPageOf, quote } from '../../api/services'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'

type Category = components['schemas']['CategoryWithRelations']

/** Groups of assets that share providers. */
export function Categories() {
  const list = useList<Category>({
    key: ['quote-categories'],
    page: (_after, limit, signal, offset) =>
      bodyPageOf(quote.GET('/categories', { params: { query: { limit, offset } }, signal })),
  })
  return (
    <DataTable
      label="Categories"
      columns={columns}
      list={list}
      empty={
        <Empty icon="rates" title="There is no category yet">
          Assets do not need one.
        </Empty>
      }
    />
  )
}

const columns: Column<Category>[] = [
  { head: 'Category', narrow: 'lead', cell: ({ name }) => <b>{name}</b> },
  { head: 'Description', narrow: 'sub', isWide: true, cell: ({ description }) => description },
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
  { head: 'Changed', narrow: 'end', needsRoom: true, cell: ({ updatedAt }) => <Time at={updatedAt} /> },
]
