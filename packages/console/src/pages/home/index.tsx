import { wholeList } from '../../api/list'
import { useQuery } from '../../api/query'
import { useRead } from '../../api/read'
import { core, dataOf, webhook } from '../../api/services'
import { useSession } from '../../api/session'
import { formatCount } from '../../format/amount'
import { counted } from '../../format/words'
import { Amount, Usd } from '../../ui/amount'
import { Card, Figure } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { HeldLine } from '../../ui/held-line'
import { Page } from '../../ui/page'
import { Empty, Loaded, Note } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age } from '../../ui/time'
import { holdingsOf } from '../accounts/accounts-query'
import { worthOf } from '../accounts/worth-of'
import { endsSoon, isValid, useApiKeys } from '../keys/keys-query'
import { type ParticipantRecord, useInstitution, useParticipant } from '../participants/institution-query'
import { toneOf } from '../participants/review-moves'
import { heldTogether } from './held-together'
import { type Holding, holdingsByAsset } from './holdings-by-asset'
import { LatestPayments, useLatestPayments } from './latest-payments'
import { NewPayment } from './new-payment'
import { isUnderWay } from './payment-rows'

/** For an institution's people: what it holds, its newest payments, its access. */
export default function Home() {
  const id = useSession().user.participantId
  return id === null ? <NoInstitution /> : <InstitutionHome id={id} />
}

function InstitutionHome({ id }: { id: string }) {
  const institution = useInstitution(id)
  const participant = useParticipant(id)
  const found = institution.data
  const isAdmitted = participant.data !== null
  return (
    <Page
      title={found?.name ?? participant.data?.institutionName ?? 'Your institution'}
      badge={found ? <Status value={found.status} tone={toneOf(found.status)} /> : null}
      actions={
        participant.data ? (
          <DialogButton look="main" icon="out" dialog={(close) => <NewPayment id={id} onClose={close} />}>
            New payment
          </DialogButton>
        ) : null
      }
    >
      {isAdmitted ? null : (
        <Note tone="wait">
          Your institution takes part in payments once its registration is approved. Until then you can{' '}
          <a href="/console/institution">upload its documents</a>.
        </Note>
      )}
      <HomeFigures id={id} />
      <div class="columns is-halves">
        <div class="stack">
          <HeldHistory id={id} />
          <OwnBalances id={id} />
        </div>
        <LatestPayments participantId={id} />
      </div>
    </Page>
  )
}

const NoInstitution = () => (
  <Page title="Home">
    <Empty icon="participants" title="Your institution">
      <p>You belong to no institution. An administrator can change that.</p>
    </Empty>
  </Page>
)

/** The most accounts of one request. */
const mostAtOnce = 50
const days = 30

/** What an institution's customers held at the end of each of the last days. */
function HeldHistory({ id }: { id: string }) {
  const { data } = useParticipant(id)
  const accounts = data ? accountsOf(data) : []
  const history = useQuery({
    queryKey: ['balances', 'history', id, accounts],
    queryFn: async ({ signal }) => {
      const parts = Array.from({ length: Math.ceil(accounts.length / mostAtOnce) }, (_, i) =>
        accounts.slice(i * mostAtOnce, (i + 1) * mostAtOnce),
      )
      const read = (accountIds: string[]) =>
        dataOf(core.GET('/balances/accounts/history', { params: { query: { accountIds, days } }, signal }))
      return heldTogether(await Promise.all(parts.map(read)))
    },
    enabled: accounts.length > 0,
    refetchInterval: 300_000,
  })
  if (accounts.length === 0) return null
  return (
    <Card title="Held, end of day" aside="USD, estimated at today’s rates">
      <Loaded of={history} lines={4}>
        {({ series, unpriced }) => (
          <>
            <p class="figure-value">
              <Usd value={series.at(-1)?.usd} />
            </p>
            <HeldLine of={series} />
            {unpriced.length > 0 ? <p class="hint">Without {unpriced.join(', ')}, which no provider prices.</p> : null}
          </>
        )}
      </Loaded>
    </Card>
  )
}

/** What the institution has, and what of it needs attention. */
function HomeFigures({ id }: { id: string }) {
  const { data } = useParticipant(id)
  const accounts = data?.customers.flatMap((customer) => customer.accounts)
  return (
    <div class="figures">
      <UnderWay id={id} />
      <Held label="Customers" href="/console/customers" of={data?.customers} />
      <Held label="Accounts" href="/console/accounts" of={accounts} />
      <KeyFigure id={id} />
      <EndpointFigure />
    </div>
  )
}

function UnderWay({ id }: { id: string }) {
  const { data } = useLatestPayments(id)
  return (
    <Figure
      label="Payments under way"
      value={data ? formatCount(data.filter(isUnderWay).length) : '–'}
      note={data?.length ? `of the latest ${formatCount(data.length)}` : null}
    />
  )
}

function Held({ label, href, of }: { label: string; href: string; of: readonly { status: string }[] | undefined }) {
  const inactive = of?.filter(({ status }) => status !== 'active').length ?? 0
  return (
    <Figure
      label={label}
      href={href}
      value={of ? formatCount(of.length) : '–'}
      note={of?.length ? (inactive === 0 ? 'all active' : `${formatCount(inactive)} not active`) : null}
    />
  )
}

/** The current key: after it has ended, programs of the institution are refused. */
function KeyFigure({ id }: { id: string }) {
  const { data } = useApiKeys(id)
  const [current] = data ?? []
  if (!current) return <Figure label="API key" href="/console/keys" value={data ? 'None' : '–'} note="not issued yet" />
  return (
    <Figure
      label="API key ends in"
      href="/console/keys"
      value={isValid(current) ? <Age until={current.validUntil} /> : 'Ended'}
      tone={isValid(current) ? (endsSoon(current) ? 'wait' : undefined) : 'bad'}
      note={<code>{current.masked}</code>}
    />
  )
}

function EndpointFigure() {
  const { data } = useRead(['endpoints', 'own'], (signal) =>
    webhook.GET('/webhooks/endpoints', { params: { query: { limit: 100 } }, signal }),
  )
  const disabled = data?.filter(({ status }) => status === 'disabled').length ?? 0
  const idle = data?.filter(({ takes }) => takes.length === 0).length ?? 0
  return (
    <Figure
      label="Webhook endpoints"
      href="/console/webhooks"
      value={data ? formatCount(data.length) : '–'}
      tone={disabled > 0 ? 'bad' : idle > 0 ? 'wait' : undefined}
      note={
        disabled > 0
          ? counted(disabled, 'is disabled', 'are disabled')
          : idle > 0
            ? counted(idle, 'takes no event', 'take no event')
            : data?.length
              ? 'all enabled'
              : null
      }
    />
  )
}

/** The most accounts whose balances are summed: fifty share a request. */
const mostAccounts = 500

/** The accounts of an institution's customers, as many as are summed. */
const accountsOf = ({ customers }: ParticipantRecord): string[] =>
  customers.flatMap((customer) => customer.accounts.map((account) => account.id)).slice(0, mostAccounts)

/** The exact total of an institution's customers in each asset. */
function OwnBalances({ id }: { id: string }) {
  const { data } = useParticipant(id)
  if (!data || data.customers.length === 0) return null
  return <Balances of={data} />
}

function Balances({ of }: { of: ParticipantRecord }) {
  const { id, customers } = of
  const all = customers.reduce((sum, { accounts }) => sum + accounts.length, 0)
  const asked = accountsOf(of)
  const balances = useQuery({
    queryKey: ['balances', 'participant', id, asked],
    queryFn: async () => (await Promise.all(asked.map(holdingsOf))).flatMap((held) => held ?? []),
    refetchInterval: 60_000,
  })
  const { data } = balances
  return (
    <DataTable
      title="Held for your customers"
      aside={
        <>
          {all > mostAccounts ? `the first ${mostAccounts} of ${all} accounts` : null}
          {data?.length ? <Usd value={worthOf(data)} /> : null}
        </>
      }
      label="What your customers hold, by asset"
      columns={balanceColumns}
      list={wholeList(data && holdingsByAsset(data), balances)}
      idOf={({ assetId }) => assetId}
      empty={<p class="card-line">They hold nothing yet.</p>}
    />
  )
}

const balanceColumns: readonly Column<Holding>[] = [
  { head: 'Asset', narrow: 'lead', cell: ({ assetCode }) => <b>{assetCode}</b> },
  { head: 'Available', align: 'end', cell: ({ available }) => <Amount value={available} /> },
  { head: 'Frozen', align: 'end', cell: ({ frozen }) => <Amount value={frozen} /> },
  amountColumn(({ total }) => <Amount value={total} />, 'Total'),
  { head: 'USD', align: 'end', narrow: 'sub-end', cell: ({ usd }) => <Usd value={usd} /> },
]
