import { useState } from 'preact/hooks'
import type { components } from '#types/quote'
import { reread } from '../../api/query'
import { useRead } from '../../api/read'
import { dataOf, quote } from '../../api/services'
import { useCan } from '../../api/session'
import { notify, notifyRefusal } from '../../ui/announce'
import { Button } from '../../ui/button'
import { Card, Facts } from '../../ui/card'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import type { RouteParams } from '../../ui/load-page'
import { Page } from '../../ui/page'
import { Loaded } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Tabs, useTabs } from '../../ui/tabs'
import { Time } from '../../ui/time'
import { HistoryPlot } from './history-plot'
import { StaticValue } from './static-value'
import { rateText, UsdRate } from './usd-rate'

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
