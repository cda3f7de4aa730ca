import type { components } from '#types/quote'
import { useList, wholeList } from '../../api/list'
import { useRead } from '../../api/read'
import { bodyPageOf, quote } from '../../api/services'
import { givenFilters } from '../../format/filters'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Tabs, useTabs } from '../../ui/tabs'
import { Ago, Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { UsdRate } from './usd-rate'

const tabs = [
  ['', 'Assets'],
  ['categories', 'Categories'],
  ['providers', 'Providers'],
] as const

/** The rates of assets, and their providers. */
export default function Rates() {
  const view = useTabs('view', tabs)
  return (
    <Page title="Rates">
      <Tabs label="What is shown" of={view} />
      {view.value === 'categories' ? <Categories /> : view.value === 'providers' ? <Providers /> : <Assets />}
    </Page>
  )
}

type Category = components['schemas']['CategoryWithRelations']

/** Groups of assets that share providers. */
function Categories() {
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

type Provider = components['schemas']['ProviderAnswer']

/** The sources of market data, with the last answer of each. */
function Providers() {
  const answers = useRead(['provider-answers'], (signal) => quote.GET('/providers/answers', { signal }), {
    refetchInterval: 10_000,
  })
  const { data } = answers
  return (
    <>
      {data ? (
        <p class="none">
          What they said since the quote service started, at <Time at={data.since} zone />.
        </p>
      ) : null}
      <DataTable
        label="Providers"
        columns={providerColumns}
        list={wholeList(data?.data, answers)}
        idOf={({ providerId }) => providerId}
        empty={
          <Empty icon="rates" title="There is no provider yet">
            Without one, only assets with a fixed value have a rate.
          </Empty>
        }
      />
    </>
  )
}

const providerColumns: Column<Provider>[] = [
  {
    head: 'Provider',
    narrow: 'lead',
    cell: ({ name, slug }) => (
      <span>
        <b>{name}</b>
        <span class="sub">
          <code>{slug}</code>
        </span>
      </span>
    ),
  },
  { head: 'State', narrow: 'end', cell: (provider) => <State of={provider} /> },
  {
    head: 'Last price',
    cell: ({ lastAnswer }) =>
      lastAnswer ? (
        <span>
          <Badge>{lastAnswer.assetCode}</Badge> <UsdRate value={lastAnswer.rate} />
          <span class="sub">
            <Ago at={lastAnswer.at} />
          </span>
        </span>
      ) : null,
  },
  {
    head: 'Last failure',
    cell: ({ lastFailure }) =>
      lastFailure ? (
        <span>
          {lastFailure.reason}
          <span class="sub">
            <Ago what={`for ${lastFailure.assetCode},`} at={lastFailure.at} />
          </span>
        </span>
      ) : null,
  },
]

function State({ of: { lastAnswer, lastFailure, failuresInARow } }: { of: Provider }) {
  if (failuresInARow > 0) return <Status value={`failed ${failuresInARow} times`} tone={lastAnswer ? 'wait' : 'bad'} />
  if (lastAnswer) return <Status value="answers" />
  return lastFailure ? <Status value="failed" /> : <Badge>not asked yet</Badge>
}

type Asset = components['schemas']['AssetWithRelations']

/** The assets that have rates, each with its last rate. */
function Assets() {
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
        columns={assetColumns}
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

const assetColumns: Column<Asset>[] = [
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
