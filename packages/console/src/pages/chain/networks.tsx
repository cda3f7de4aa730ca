import { wholeList } from '../../api/list'
import { formatCount } from '../../format/amount'
import { formatDuration } from '../../format/time'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Age, Ago } from '../../ui/time'
import { type NetworkStatus, useNetworks } from './chain-queries'
import { problemOf } from './network-problem'

/** The newest block of each network, and how far it has been read. */
export function Networks() {
  const networks = useNetworks()
  return (
    <DataTable
      title="Networks"
      columns={columns}
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

const columns: Column<NetworkStatus>[] = [
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
