import type { ComponentChildren } from 'preact'
import { useMemo, useState } from 'preact/hooks'
import type { components } from '#types/quote'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { dataOf, quote } from '../../api/services'
import { useCan } from '../../api/session'
import { useStore } from '../../api/store'
import { formatDuration, formatTime } from '../../format/time'
import { Act } from '../../ui/act'
import { notify, notifyRefusal } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { AmountField } from '../../ui/field'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { Plot } from '../../ui/plot'
import { zoneStore } from '../../ui/preferences'
import { Empty, Loaded, Note } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Tabs, useTabs } from '../../ui/tabs'
import { Ago, Time } from '../../ui/time'
import { rateText, typedRate, UsdRate } from './usd-rate'

type Asset = components['schemas']['AssetWithRelations']

/** One asset: its rates over time, its providers, and its fixed value. */
export default function OneAsset({ params }: RouteParams) {
  const id = params.id ?? ''
  const isAdmin = useCan('manage')
  const asset = useRead(['quote-asset', id], (signal) =>
    quote.GET('/assets/{id}', { params: { path: { id } }, signal }),
  )
  const { data } = asset
  return (
    <Page
      title={data ? `${data.name} (${data.code})` : 'Asset'}
      up={{ href: '/console/rates', words: 'Rates' }}
      badge={
        data && data.staticValue !== null ? (
          <Badge tone="wait" icon="lock">
            Fixed value
          </Badge>
        ) : undefined
      }
      actions={
        data && isAdmin ? (
          <DialogButton icon="lock" dialog={(close) => <StaticValue of={data} onClose={close} />}>
            {data.staticValue === null ? 'Fix the value' : 'Change the fixed value'}
          </DialogButton>
        ) : null
      }
    >
      <div class="columns is-side">
        <History id={id} code={data?.code} />
        <Loaded of={asset}>
          {(known) => (
            <Card title="Asset">
              <AssetFacts of={known} />
            </Card>
          )}
        </Loaded>
      </div>
    </Page>
  )
}

/** In days. */
const ranges = [
  ['1', 'Day'],
  ['7', 'Week'],
  ['30', '30 days'],
  ['all', 'All'],
] as const

/** Asks the providers at once; the rate is stored, and stands in the plot. */
function AskNow({ code }: { code: string | undefined }) {
  const [isAsking, setAsking] = useState(false)
  if (!code) return null
  const ask = async () => {
    setAsking(true)
    await dataOf(quote.POST('/rates', { body: { assetCode: code } })).then(({ rate }) => {
      notify(`1 ${code} is ${rateText(rate)}`)
      reread(['last-rate'], ['rate-history'])
    }, notifyRefusal)
    setAsking(false)
  }
  return (
    <Button icon="refresh" disabled={isAsking} onClick={() => void ask()}>
      {isAsking ? 'Asking…' : 'Ask now'}
    </Button>
  )
}

function History({ id, code }: { id: string; code: string | undefined }) {
  const range = useTabs('range', ranges, '7')
  const days = range.value
  const history = useRead(
    ['rate-history', id, days],
    (signal) => {
      const fromTime = days === 'all' ? undefined : new Date(Date.now() - Number(days) * 86_400_000).toISOString()
      const params = { path: { assetId: id }, query: { fromTime } }
      return quote.GET('/rates/history/{assetId}', { params, signal })
    },
    { refetchInterval: 30_000 },
  )
  return (
    <Card title="Rate" aside={<Tabs label="How far back" of={range} />}>
      <Loaded of={history} lines={6}>
        {(data) => <HistoryPlot of={data} askNow={<AskNow code={data.asset?.code ?? code} />} />}
      </Loaded>
    </Card>
  )
}

const AssetFacts = ({ of }: { of: Asset }) => (
  <Facts
    of={[
      ['Code', <b>{of.code}</b>],
      ['Category', of.category?.name],
      ['Fixed value', of.staticValue === null ? null : <UsdRate value={of.staticValue} />],
      [
        'Providers',
        of.assetProviders.length > 0 ? (
          of.assetProviders.map(({ provider }) => provider.name).join(', ')
        ) : (
          <span class="none">the providers of its category, else the default ones</span>
        ),
      ],
      ['Description', of.description],
      ['Id', <Id value={of.id} isWhole />],
      ['Created', <Time at={of.createdAt} zone />],
      ['Changed', <Time at={of.updatedAt} zone />],
    ]}
  />
)

interface StaticValueProps {
  of: { id: string; code: string; staticValue: number | null }
  onClose(): void
}

/** Fixes an asset's value, or returns to the providers' rates: an administrator's decision. */
const StaticValue = ({ of, onClose }: StaticValueProps) => (
  <Act
    title={`Fix the value of ${of.code}?`}
    confirm="Set the value"
    look="danger"
    act={async ({ text, headers }) => {
      const value = text('value')
      return await dataOf(
        quote.PATCH('/assets/{id}/static-value', {
          params: { path: { id: of.id } },
          headers,
          body: { staticValue: value === '' ? null : Number(value) },
        }),
      )
    }}
    done={(asset) =>
      asset.staticValue === null ? `Providers are asked for ${of.code} again` : `The value of ${of.code} is fixed`
    }
    onDone={() => reread(['quote-asset'], ['quote-assets'], ['last-rate'], ['rate-history'])}
    onClose={onClose}
  >
    <Note tone="wait">
      While a value is fixed no provider is asked: every estimate in USD, and every limit that is measured in it, takes
      this value.
    </Note>
    {of.staticValue === null ? null : (
      <p>
        It is fixed at <UsdRate value={of.staticValue} /> now.
      </p>
    )}
    <AmountField
      label="USD for one unit"
      name="value"
      title="Write a number such as 1.0725."
      defaultValue={of.staticValue === null ? '' : typedRate(of.staticValue)}
      hint="Above 0. Empty: providers are asked again."
    />
  </Act>
)

type RateHistory = components['schemas']['RateHistory']

/** The rates of a period as a line, with the last rate in large type and its providers. */
function HistoryPlot({ of, askNow }: { of: RateHistory; askNow: ComponentChildren }) {
  const zone = useStore(zoneStore)
  const x = useMemo(() => of.points.map(({ timestamp }) => Date.parse(timestamp) / 1000), [of])
  const values = useMemo(() => of.points.map(({ rate }) => rate), [of])
  const last = of.points.at(-1)
  // Within an hour the date is redundant, and seconds matter.
  const digits = (x.at(-1) ?? 0) - (x[0] ?? 0) < 3600 ? ([11, 19] as const) : ([5, 16] as const)
  if (!last) {
    return (
      <Empty icon="rates" title="No rate was requested in this time">
        <p>A rate is stored whenever it is requested: choose a longer time, or ask now.</p>
        {askNow}
      </Empty>
    )
  }
  return (
    <>
      <div class="row rate-last">
        <p class="figure-value">
          <UsdRate value={last.rate} />
        </p>
        <p class="none">
          as of <Time at={last.timestamp} zone />, <Ago at={last.timestamp} />
        </p>
        <Givers of={last.providers} />
        {askNow}
      </div>
      {of.points.length > 1 ? (
        <Plot
          label={`${of.asset?.code ?? 'The asset'} in USD`}
          x={x}
          unit="USD"
          values={values}
          format={rateText}
          formatX={(seconds) => formatTime(new Date(seconds * 1000).toISOString(), zone).slice(...digits)}
          tableTitle="The rates as a table"
        />
      ) : (
        <p class="none">There is only one rate: with the next one there is a line.</p>
      )}
      <p class="none">
        {of.intervalSeconds === null
          ? 'Every stored rate of this time.'
          : `The last rate of every ${formatDuration(of.intervalSeconds * 1000)}.`}
      </p>
    </>
  )
}

/** The price of each provider for the last rate. */
function Givers({ of }: { of: Readonly<Record<string, number>> }) {
  const given = Object.entries(of)
  if (given.length === 0) return <p class="none">A fixed value: no provider was asked.</p>
  return (
    <ul class="row rate-givers">
      {given.map(([slug, rate]) => (
        <li key={slug}>
          {slug} <span class="amount">{rateText(rate)}</span>
        </li>
      ))}
    </ul>
  )
}
