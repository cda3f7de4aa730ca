import { useEffect, useState } from 'preact/hooks'
import type { components } from '#types/core-ledger'
import { wholeList } from '../../api/list'
import { useAccount } from '../../api/names'
import { useOwner } from '../../api/owners'
import { useRead } from '../../api/read'
import { core, serviceUrl } from '../../api/services'
import { useCan } from '../../api/session'
import { shorten, toWords } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button, LinkButton } from '../../ui/button'
import { amountColumn } from '../../ui/columns'
import { CsvLink } from '../../ui/csv-link'
import { type Column, DataTable } from '../../ui/data-table'
import { Filters } from '../../ui/filters'
import { AccountName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty, Loaded } from '../../ui/states'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { useOwnAccounts, useOwnInstitution } from '../accounts/accounts-query'
import { monthPeriod, monthsUntil, monthWords } from './months'

type Statement = components['schemas']['Statement']
type Line = components['schemas']['StatementLine']

const months = 24

/** The statement of an account for a month: to be read, printed, and taken along as a table. Months are in UTC. */
export default function Statements() {
  const filters = useFilters(['account', 'month'])
  const isStaff = useCan('read')
  const own = useOwnAccounts(!isStaff)
  const choices = monthsUntil(new Date(), months)
  const account = filters.values.account || own.data?.[0]?.id || ''
  const month = monthPeriod(filters.values.month) ? filters.values.month : (choices[0] ?? '')
  const period = monthPeriod(month)
  const isShown = account !== '' && period !== null
  const monthChoice = {
    kind: 'choice' as const,
    name: 'month' as const,
    label: 'Month',
    options: choices.map((each) => [each, monthWords(each)] as const),
  }
  const accountChoice = {
    kind: 'choice' as const,
    name: 'account' as const,
    label: 'Account',
    options: own.data ?? [],
  }
  return (
    <Page
      title="Statement"
      up={isStaff && isShown ? { href: `/console/accounts/${account}`, words: 'Account' } : undefined}
      actions={
        isShown ? (
          <>
            <Button onClick={printAll}>Print</Button>
            <CsvLink
              href={serviceUrl('core', `/balances/account/${encodeURIComponent(account)}/statement/export`)}
              query={period}
            />
          </>
        ) : null
      }
    >
      {isShown ? (
        <>
          <div class="statement-filters">
            <Filters
              label="Choose a statement"
              of={{ ...filters, values: { account, month }, hasAny: false }}
              fields={own.data ? [accountChoice, monthChoice] : [monthChoice]}
            />
          </div>
          <OneStatement account={account} month={month} period={period} />
        </>
      ) : isStaff ? (
        <Empty icon="accounts" title="Choose an account">
          <LinkButton href="/console/accounts">Accounts</LinkButton>
        </Empty>
      ) : (
        <Loaded of={own}>{() => <Empty icon="accounts" title="Your institution has no account yet" />}</Loaded>
      )}
    </Page>
  )
}

/** The lines that are not shown yet are drawn before the browser takes the page. */
function printAll() {
  dispatchEvent(new Event('beforeprint'))
  requestAnimationFrame(() => print())
}

/** A long statement is shown in parts: the browser would be busy with ten thousand lines for seconds. */
const linesAtOnce = 200

interface Shown {
  account: string
  month: string
  period: { from: string; to: string }
}

function OneStatement({ account, month, period }: Shown) {
  const statement = useRead(['statement', account, period], (signal) =>
    core.GET('/balances/account/{accountId}/statement', {
      params: { path: { accountId: account }, query: period },
      signal,
    }),
  )
  const [shown, show] = useState(linesAtOnce)
  // On paper they are all there.
  useEffect(() => {
    const showAll = () => show(Number.POSITIVE_INFINITY)
    addEventListener('beforeprint', showAll)
    return () => removeEventListener('beforeprint', showAll)
  }, [])
  return (
    <>
      <Heading account={account} month={month} period={period} />
      <Loaded of={statement} lines={8}>
        {(found) => (
          <div class="stack">
            <DataTable
              title="Balances"
              aside="available and held"
              label="Balances at both ends"
              columns={balanceColumns}
              list={wholeList(found.balances, statement)}
              idOf={({ assetId }) => assetId}
              empty={<p class="card-line">It held nothing.</p>}
            />
            <DataTable
              title="Changes"
              label="Changes, oldest first"
              columns={lineColumns}
              list={{
                ...wholeList(found.lines.slice(0, shown), statement),
                total: found.lines.length,
                hasMore: found.lines.length > shown,
                loadMore: () => show(shown + linesAtOnce),
              }}
              idOf={(line) => `${line.at} ${line.transactionId} ${line.balance} ${line.assetId}`}
              empty={<p class="card-line">Nothing was paid in or out in this month.</p>}
            />
          </div>
        )}
      </Loaded>
    </>
  )
}

/** Whose statement it is, and of which days: what a printed page needs by itself. */
function Heading({ account, month, period }: Shown) {
  const { data } = useAccount(account)
  const owner = useOwner('accounts', account)
  const own = useOwnInstitution()
  const institutionName = own.data?.institutionName ?? owner.data?.institutionName
  const lastDay = new Date(Date.parse(period.to) - 1).toISOString().slice(0, 10)
  return (
    <div class="statement-head">
      <p>
        <strong>{data?.name ?? shorten(account)}</strong>
        {[data?.customerName ?? owner.data?.customerName, institutionName].filter(Boolean).map((name) => `, ${name}`)}
      </p>
      <p class="hint">
        {monthWords(month)}: {period.from.slice(0, 10)} to {lastDay}, UTC. Account {account}
      </p>
    </div>
  )
}

const balanceColumns: readonly Column<Statement['balances'][number]>[] = [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, network }) => (
      <>
        <b>{assetCode}</b> <span class="hint">{network}</span>
      </>
    ),
  },
  { head: 'Opening', align: 'end', cell: ({ opening }) => <Amount value={opening} /> },
  { head: 'In', align: 'end', cell: (row) => <Amount value={row.in} /> },
  { head: 'Out', align: 'end', cell: ({ out }) => <Amount value={out} /> },
  amountColumn(({ closing }) => <Amount value={closing} />, 'Closing'),
]

const lineColumns: readonly Column<Line>[] = [
  { head: 'Posted', narrow: 'sub', cell: ({ at }) => <Time at={at} isWhole /> },
  {
    head: 'What',
    narrow: 'lead',
    cell: ({ kind, transactionId }) =>
      transactionId ? <a href={`/console/transactions/${transactionId}`}>{toWords(kind)}</a> : toWords(kind),
  },
  { head: 'Counterparty', cell: (line) => <Counterparty of={line} /> },
  { head: 'Reference', cell: ({ reference }) => reference },
  amountColumn(({ amount, assetCode }) => <Amount value={amount} asset={assetCode} />),
  { head: 'Balance', align: 'end', cell: ({ balance }) => <Amount value={balance} /> },
]

function Counterparty({ of: { kind, counterparty } }: { of: Line }) {
  if (!counterparty) return null
  return kind === 'TRANSFER_IN' || kind === 'TRANSFER_OUT' ? (
    <AccountName id={counterparty} isPlain />
  ) : (
    <code title={counterparty}>{shorten(counterparty)}</code>
  )
}
