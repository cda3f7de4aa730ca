import { wholeList } from '../../api/list'
import { useCan } from '../../api/session'
import { formatCount, formatTotal, type Total } from '../../format/amount'
import { formatDuration } from '../../format/time'
import { Amount } from '../../ui/amount'
import { Figure } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Tabs, useTabs } from '../../ui/tabs'
import { Age, Ago, Oldest } from '../../ui/time'
import { Books } from './books'
import { type FeeBalance, type NetworkStatus, useFees, useNetworks, useOldestSend, useReport } from './chain-queries'
import { problemOf } from './network-problem'
import { PayIn } from './pay-in'
import { Sends } from './sends'
import { Wallets } from './wallets'

const tabs = [
  ['', 'Networks'],
  ['sends', 'Sends under way'],
  ['books', 'Ledger against chain'],
  ['wallets', 'Wallets'],
] as const

/** The networks, pending sends, owed and held amounts, and the wallets of accounts. */
export default function Chain() {
  const view = useTabs('view', tabs)
  const networks = useNetworks()
  const isOperator = useCan('operate')
  const simulated = networks.data?.filter(({ kind }) => kind === 'simulated') ?? []
  return (
    <Page
      title="Wallets and chains"
      actions={
        isOperator && simulated.length > 0 ? (
          <DialogButton icon="in" dialog={(close) => <PayIn networks={simulated} onClose={close} />}>
            Sandbox pay-in
          </DialogButton>
        ) : null
      }
    >
      <ChainFigures />
      <Tabs label="What is shown" of={view} />
      {view.value === 'sends' ? (
        <Sends />
      ) : view.value === 'books' ? (
        <Books />
      ) : view.value === 'wallets' ? (
        <Wallets />
      ) : (
        <>
          <Networks />
          <FeeBalances />
        </>
      )}
    </Page>
  )
}

/** Problems on the chains, at a glance. */
function ChainFigures() {
  const networks = useNetworks().data
  const oldest = useOldestSend().data
  const report = useReport().data
  const fees = useFees().data
  const bad = networks?.filter((network) => problemOf(network) !== null).length
  const low = fees?.filter(({ isLow }) => isLow).length
  const short = report?.holdings.filter(({ isShort }) => isShort).length
  const differing = report ? report.differing + report.missing + report.portfolios.length : 0
  return (
    <div class="figures">
      <Figure
        label="Networks with a problem"
        href="/console/chain"
        tone={bad ? 'bad' : undefined}
        value={countOr(bad)}
        note={networks ? `of ${networks.length}` : null}
      />
      <Figure
        label="Sends under way"
        href="/console/chain?view=sends"
        value={countOr(oldest?.total)}
        note={oldest?.oldestAt ? <Oldest at={oldest.oldestAt} /> : null}
      />
      <Figure
        label="Differences to the chain"
        href="/console/chain?view=books"
        tone={short || differing ? 'bad' : undefined}
        value={report?.at ? formatCount((short ?? 0) + differing) : '–'}
        note={report?.at ? <Ago what="compared" at={report.at} /> : report ? 'not compared yet' : null}
      />
      <Figure
        label="Fee addresses with a low balance"
        href="/console/chain"
        tone={low ? 'wait' : undefined}
        value={countOr(low)}
        note={fees ? `of ${fees.length}` : null}
      />
    </div>
  )
}

const countOr = (count: Total | undefined): string => (count === undefined ? '–' : formatTotal(count))

/** The balances of the fee payers' addresses, and what they need. */
function FeeBalances() {
  const fees = useFees()
  return (
    <DataTable
      title="Fee payers"
      label="Balances of fee payers"
      columns={columns}
      list={wholeList(fees.data, fees)}
      idOf={({ network, address, accountId }) => `${network} ${address} ${accountId}`}
      empty={<Empty icon="chain" title="No network can be used" />}
    />
  )
}

const columns: Column<FeeBalance>[] = [
  { head: 'Network', narrow: 'lead', cell: ({ network }) => <b>{network}</b> },
  {
    head: 'Pays',
    narrow: 'sub',
    cell: ({ accountId }) =>
      accountId ? <AccountName id={accountId} /> : <span class="none">the deployment itself</span>,
  },
  { head: 'Address', cell: ({ address }) => <Id value={address} /> },
  amountColumn(
    ({ balance, code }) =>
      balance === null ? <span class="none">not known</span> : <Amount value={balance} asset={code} />,
    'Holds',
  ),
  {
    head: 'Needed for the next',
    align: 'end',
    needsRoom: true,
    cell: ({ needed, code, kind }) => (kind === 'simulated' ? null : <Amount value={needed} asset={code} />),
  },
  { head: 'Orders', align: 'end', cell: ({ openOrders }) => openOrders || null },
  {
    head: 'State',
    narrow: 'sub-end',
    cell: ({ isLow, kind }) =>
      kind === 'simulated' ? (
        <Badge>no fees</Badge>
      ) : isLow === null ? (
        <Badge>unknown</Badge>
      ) : isLow ? (
        <Status value="low" tone="wait" />
      ) : (
        <Status value="ok" />
      ),
  },
]

/** The newest block of each network, and how far it has been read. */
function Networks() {
  const networks = useNetworks()
  return (
    <DataTable
      title="Networks"
      columns={networkColumns}
      list={wholeList(networks.data, networks)}
      idOf={({ network }) => network}
      empty={
        <Empty icon="chain" title="No network can be used">
          Set an RPC URL, or NETWORKS_SIMULATED=on.
        </Empty>
      }
    />
  )
}

const networkColumns: Column<NetworkStatus>[] = [
  {
    head: 'Network',
    narrow: 'lead',
    cell: ({ network, kind, nativeCode }) => (
      <span>
        <b>{network}</b> {kind === 'simulated' ? <Badge>simulated</Badge> : null}
        <span class="sub">{nativeCode}</span>
      </span>
    ),
  },
  { head: 'State', narrow: 'end', cell: (network) => <State of={network} /> },
  { head: 'Newest block', align: 'end', cell: (network) => (isIdle(network) ? null : <Head of={network} />) },
  { head: 'Read to', align: 'end', cell: (network) => (isIdle(network) ? null : <ReadTo of={network} />) },
  {
    head: 'Confirmations',
    align: 'end',
    narrow: 'hide',
    needsRoom: true,
    cell: ({ confirmations }) => formatCount(confirmations),
  },
  {
    head: 'Addresses',
    align: 'end',
    cell: ({ watchedAddresses }) => (watchedAddresses ? formatCount(watchedAddresses) : null),
  },
  {
    head: 'Last read',
    needsRoom: true,
    cell: ({ lastScanAt }) => (lastScanAt ? <Ago at={lastScanAt} /> : null),
  },
]

/** Nothing is watched there, and nothing was read yet. */
const isIdle = ({ watchedAddresses, scannedTo }: NetworkStatus): boolean => watchedAddresses === 0 && scannedTo === null

function State({ of }: { of: NetworkStatus }) {
  const problem = problemOf(of)
  if (problem === null) return of.watchedAddresses === 0 ? <Badge>nothing to watch</Badge> : <Status value="ok" />
  return (
    <span>
      <Status value={of.lastError ? 'failed' : 'lags behind'} tone={of.lastError ? 'bad' : 'wait'} />
      <span class="sub">{problem}</span>
    </span>
  )
}

function Head({ of: { head, headAt, kind } }: { of: NetworkStatus }) {
  if (head === null) return <span class="none">{kind === 'solana' ? 'by account' : 'not known'}</span>
  return (
    <span class="amount">
      {formatCount(head)}
      {headAt ? (
        <span class="sub">
          <Age since={headAt} /> old
        </span>
      ) : null}
    </span>
  )
}

function ReadTo({ of: { scannedTo, lagBlocks, lagSeconds, kind } }: { of: NetworkStatus }) {
  if (scannedTo === null) return <span class="none">{kind === 'solana' ? 'by account' : 'not begun'}</span>
  return (
    <span class="amount">
      {formatCount(scannedTo)}
      <span class="sub">
        {lagBlocks === null
          ? 'lag not known'
          : lagBlocks === 0
            ? 'up to date'
            : `${formatCount(lagBlocks)} behind${lagSeconds ? `, ${formatDuration(lagSeconds * 1000)}` : ''}`}
      </span>
    </span>
  )
}
