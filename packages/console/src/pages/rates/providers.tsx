import type { components } from '#types/quote'
import { wholeList } from '../../api/list'
import { useRead } from '../../api/read'
import { quote } from '../../api/services'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Ago, Time } from '../../ui/time'
import { UsdRate } from './usd-rate'

type Provider = components['schemas']['ProviderAnswer']

/** The sources of market data, with the last answer of each. */
export function Providers() {
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
        columns={columns}
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

const columns: Column<Provider>[] = [
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
