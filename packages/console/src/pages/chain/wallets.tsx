import { useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { totalOf, wallet } from '../../api/services'
import { useCan } from '../../api/session'
import { givenFilters } from '../../format/filters'
import { actsColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Filters } from '../../ui/filters'
import { Id } from '../../ui/id'
import { AccountName } from '../../ui/names'
import { Institution } from '../../ui/organisations'
import { Empty, Note } from '../../ui/states'
import { Badge } from '../../ui/status'
import { Time } from '../../ui/time'
import { useFilters } from '../../ui/use-filters'
import { type ListedWallet, useNetworks } from './chain-queries'
import { PayIn } from './pay-in'

/** The wallets of all accounts, the newest first. */
export function Wallets() {
  const filters = useFilters(['address', 'accountId', 'network'])
  const isOperator = useCan('operate')
  const networks = useNetworks().data ?? []
  const [warning, setWarning] = useState<string | null>(null)
  const given = givenFilters(filters.values)
  const list = useList<ListedWallet>({
    key: ['wallets', given],
    page: async (after, limit, signal) => {
      const query = { ...given, after, limit, order: 'desc' as const, count: true }
      const { data, response } = await wallet.GET('/wallets', { params: { query }, signal })
      setWarning(data?.warning ?? null)
      return { rows: data?.data ?? [], total: totalOf(response) }
    },
    idOf: ({ walletId }) => walletId,
  })
  return (
    <>
      <Filters
        label="Filter wallets"
        of={filters}
        fields={[
          { kind: 'text', name: 'address', label: 'Address', isWide: true },
          {
            kind: 'choice',
            name: 'network',
            label: 'Network',
            options: networks.map(({ network }) => [network, network] as const),
          },
          // An account is found by the search, and its page has its addresses.
          { kind: 'text', name: 'accountId', label: 'Account’s id', isOnlySet: true },
        ]}
      />
      {warning ? <Note tone="wait">{warning}</Note> : null}
      <DataTable
        label="Wallets"
        columns={columnsOf(isOperator)}
        list={list}
        idOf={({ walletId }) => walletId}
        empty={
          <Empty icon="chain" title={filters.hasAny ? 'No wallet matches these filters' : 'There is no wallet yet'}>
            {filters.hasAny ? null : <p>An account gets its wallet with its first address.</p>}
          </Empty>
        }
      />
    </>
  )
}

const columnsOf = (isOperator: boolean): Column<ListedWallet>[] => [
  { head: 'Address', narrow: 'lead', cell: ({ address }) => <Id value={address} /> },
  {
    head: 'Network',
    narrow: 'end',
    cell: ({ blockchain, simulated }) => (
      <span>
        {blockchain} {simulated ? <Badge>simulated</Badge> : null}
      </span>
    ),
  },
  { head: 'Account', narrow: 'sub', isWide: true, cell: ({ accountId }) => <AccountName id={accountId} /> },
  {
    head: 'Institution’s own',
    needsRoom: true,
    cell: ({ participantId }) => (participantId ? <Institution id={participantId} /> : null),
  },
  { head: 'Created', narrow: 'sub-end', cell: ({ createdAt }) => <Time at={createdAt} /> },
  ...actsColumn(isOperator, ({ simulated, blockchain, address }: ListedWallet) =>
    simulated ? (
      <DialogButton
        isSmall
        look="quiet"
        icon="in"
        dialog={(close) => <PayIn networks={[{ network: blockchain }]} to={address} onClose={close} />}
      >
        Pay in
      </DialogButton>
    ) : null,
  ),
]
