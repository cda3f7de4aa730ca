import type { components } from '#types/main-api'
import { wholeList } from '../../api/list'
import { useRead } from '../../api/read'
import { main } from '../../api/services'
import { useSession } from '../../api/session'
import { formatCount } from '../../format/amount'
import { Amount } from '../../ui/amount'
import { Figure } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { moneyText } from '../bank/money-text'
import { paymentColumns } from '../bank/payment-columns'
import { toneOf } from '../participants/review-moves'

const mostPayments = 10
const mostParticipants = 100

/** For a custodian bank's people: its balances, its participants, its newest payments. */
export default function CustodianHome() {
  return useSession().user.custodianId === null ? <NoBank /> : <BankHome />
}

function BankHome() {
  const bank = useRead(['custodian', 'detail'], (signal) => main.GET('/custodian-bank/custodian-detail', { signal }))
  const participants = useRead(
    ['custodian', 'participants'],
    (signal) => main.GET('/custodian-bank/participants', { params: { query: { limit: mostParticipants } }, signal }),
    { refetchInterval: 60_000 },
  )
  const payments = useRead(
    ['payments', 'custodian', 'latest'],
    (signal) => main.GET('/custodian-bank/transactions', { params: { query: { limit: mostPayments } }, signal }),
    { refetchInterval: 15_000 },
  )
  const total = (of: { data: { pageInfo: { total: number } } | undefined }) =>
    of.data ? formatCount(of.data.pageInfo.total) : '–'
  return (
    <Page
      title={bank.data?.name ?? 'Your bank'}
      badge={
        bank.data ? <Status value={bank.data.status} tone={bank.data.status === 'ACTIVE' ? 'good' : 'plain'} /> : null
      }
    >
      <div class="figures">
        <Figure label="Participants" value={total(participants)} note="with an account here" />
        <Figure label="Payments" href="/console/bank" value={total(payments)} note="from or to those accounts" />
      </div>
      <div class="columns is-halves">
        <Balances />
        <DataTable
          title="Participants"
          columns={participantColumns}
          list={wholeList(participants.data?.data, participants)}
          empty={<Empty icon="participants" title="No participant has an account at your bank" />}
        />
      </div>
      <DataTable
        title="Latest payments"
        aside={<a href="/console/bank">All of them</a>}
        columns={paymentColumns}
        list={wholeList(payments.data?.data, payments)}
        empty={<Empty icon="bank" title="No payment yet" />}
      />
    </Page>
  )
}

function Balances() {
  const balances = useRead(['custodian', 'balances'], (signal) => main.GET('/custodian-bank/balance', { signal }), {
    refetchInterval: 60_000,
  })
  return (
    <DataTable
      title="Balances"
      aside="from completed payments"
      label="Balances by currency"
      columns={balanceColumns}
      list={wholeList(balances.data, balances)}
      idOf={({ currency }) => currency}
      empty={
        <Empty icon="bank" title="No balance yet">
          <p>Payments between two accounts at your bank do not change it.</p>
        </Empty>
      }
    />
  )
}

type Balance = components['schemas']['CustodianBalance']

const balanceColumns: readonly Column<Balance>[] = [
  { head: 'Currency', narrow: 'lead', cell: ({ currency }) => <b>{currency}</b> },
  {
    head: 'Available',
    align: 'end',
    cell: ({ available, currency }) => <Amount value={moneyText(available, currency)} />,
  },
  {
    head: 'On its way out',
    align: 'end',
    cell: ({ frozen, currency }) => <Amount value={moneyText(frozen, currency)} />,
  },
  amountColumn(({ total, currency }) => <Amount value={moneyText(total, currency)} />, 'Total'),
]

const participantColumns: readonly Column<components['schemas']['CounterParty']>[] = [
  { head: 'Participant', narrow: 'lead', cell: ({ name }) => <b>{name}</b> },
  { head: 'Country', narrow: 'sub', cell: ({ country }) => country },
  { head: 'Status', narrow: 'end', cell: ({ status }) => <Status value={status} tone={toneOf(status)} /> },
]

const NoBank = () => (
  <Page title="Home">
    <Empty icon="bank" title="Your bank">
      <p>You belong to no custodian bank. An administrator can change that.</p>
    </Empty>
  </Page>
)
