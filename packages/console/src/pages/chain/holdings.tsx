import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { wholeList } from '../../api/list'
import { formatDuration } from '../../format/time'
import { Amount } from '../../ui/amount'
import { Card, Facts } from '../../ui/card'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { Empty, Note } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Time } from '../../ui/time'
import type { Holding, Report, useReport } from './chain-queries'
import { wayOutOf } from './way-out'

const idOf = ({ network, contractAddress }: Holding): string => `${network} ${contractAddress}`

/** The owed and held amounts by asset, and the parts of one: the chosen one, or one that is short. */
export function Holdings({ of: report, children }: { of: ReturnType<typeof useReport>; children: ComponentChildren }) {
  const [chosen, choose] = useState<string | null>(null)
  const { data } = report
  const shown = data?.holdings.find((holding) => (chosen === null ? holding.isShort : idOf(holding) === chosen))
  return (
    <div class={shown ? 'columns is-side' : 'columns'}>
      <div class="stack">
        <Card title="Ledger against chain" isFlush aside={children}>
          {data?.failure ? <Failure of={data.failure} /> : null}
          <DataTable
            label="Owed and held"
            columns={columns}
            list={wholeList(data?.holdings, report)}
            idOf={idOf}
            onSelect={(holding) => choose(idOf(holding))}
            selectedId={shown ? idOf(shown) : null}
            empty={
              <Empty icon="chain" title={data?.at ? 'The ledger owes nothing' : 'Nothing has been compared yet'}>
                {data ? `The service compares every ${formatDuration(data.everySeconds * 1000)}.` : null}
              </Empty>
            }
          />
        </Card>
        <p class="none">
          More may be held than is owed: the platform’s own coins, and deposits on their way. Less may not. Withdrawals
          that may have left already are not owed any more; portfolios are compared apart, each with its own addresses.
        </p>
      </div>
      {shown ? <HoldingParts of={shown} /> : null}
    </div>
  )
}

const columns: Column<Holding>[] = [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, isShort }) => <b class={isShort ? 'bad' : undefined}>{assetCode}</b>,
  },
  {
    head: 'Network',
    narrow: 'sub',
    cell: ({ network, isSimulated }) => (
      <span>
        {network} {isSimulated ? <Badge>simulated</Badge> : null}
      </span>
    ),
  },
  { head: 'Owed', align: 'end', cell: ({ owed }) => <Amount value={owed} /> },
  {
    head: 'Held',
    align: 'end',
    cell: ({ held }) => (held === null ? <span class="none">not known</span> : <Amount value={held} />),
  },
  amountColumn(
    ({ difference, isShort }) =>
      difference === null ? null : (
        <span class={isShort ? 'bad' : undefined}>
          <Amount value={isShort || difference === '0' ? difference : `+${difference}`} />
        </span>
      ),
    'Difference',
  ),
  { head: 'Verdict', narrow: 'sub-end', cell: (holding) => <Verdict of={holding} /> },
]

function Verdict({ of: { held, isShort, isShortTwice } }: { of: Holding }) {
  if (held === null) return <Badge>not compared</Badge>
  if (!isShort) return <Status value="agrees" tone="good" />
  return <Status value={isShortTwice ? 'too little, twice' : 'too little'} tone="bad" />
}

const Failure = ({ of: { at, message } }: { of: NonNullable<Report['failure']> }) => (
  <Note tone="wait">
    The last comparison, at <Time at={at} zone />, could not be made: {message}. Below stands what was found before.
  </Note>
)

/** The parts of one asset's owed amount, the known causes of a difference, and what to do about them. */
function HoldingParts({ of }: { of: Holding }) {
  const { assetCode, network, held, isShort, isSimulated, topUp, portfolios, causes } = of
  const amount = (value: string) => <Amount value={value} asset={assetCode} />
  const unlessNone = (value: string) => (value === '0' ? null : amount(value))
  return (
    <Card title={`${assetCode} on ${network}`}>
      <Facts
        of={[
          ['Customers', amount(of.customers)],
          ['+ in suspense', amount(of.suspense)],
          ['− under way', amount(of.underWay)],
          ['= owed', <b>{amount(of.owed)}</b>],
          ['Held', held === null ? <span class="none">not known</span> : amount(held)],
          ['The platform’s own', of.difference === null || isShort ? null : amount(of.difference)],
          ['Top up', isShort ? <b class="bad">{amount(topUp)}</b> : null],
          ['Network fees paid', unlessNone(of.feesPaid)],
          ['Portfolios by the books', unlessNone(portfolios.owed)],
          ['At their addresses', portfolios.owed === '0' ? unlessNone(portfolios.held) : amount(portfolios.held)],
        ]}
      />
      {held === null ? (
        <Note>
          The blockchain service does not follow this network, so nothing can be compared. Its settings name the
          networks that it follows.
        </Note>
      ) : null}
      {isShort ? (
        <Note tone="bad">
          {isSimulated ? 'Pay it in with “Sandbox pay-in”' : 'Pay it'} to the deployment’s own address, which “Fee
          payers” names: what is paid to an account’s address is owed to that account.
        </Note>
      ) : null}
      {causes.length > 0 ? (
        <>
          <h3>Known causes of the difference</h3>
          <ul class="rows">
            {causes.map((cause) => (
              <li key={cause}>
                {cause}. <span class="hint">{wayOutOf(cause)}</span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </Card>
  )
}
