import { useState } from 'preact/hooks'
import { wholeList } from '../../api/list'
import { queries } from '../../api/query'
import { core } from '../../api/services'
import { useCan } from '../../api/session'
import { formatDuration } from '../../format/time'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { Card } from '../../ui/card'
import { type Column, DataTable } from '../../ui/data-table'
import { Id } from '../../ui/id'
import { Empty, Loaded, Note } from '../../ui/states'
import { Badge, Status } from '../../ui/status'
import { Age, Time } from '../../ui/time'
import { type Holding, type Report, useReport } from './chain-queries'

/** What the ledger owes and what the chains hold; withdrawals that the wallet service has otherwise. */
export function Books() {
  const report = useReport()
  const [isComparing, setComparing] = useState(false)
  const isOperator = useCan('operate')
  return (
    <>
      <Card
        title="Ledger against chain"
        isFlush
        aside={
          <>
            {report.data ? <When of={report.data} /> : null}
            {isOperator ? (
              <Button isSmall icon="refresh" onClick={() => setComparing(true)}>
                Compare now
              </Button>
            ) : null}
          </>
        }
      >
        {report.data?.failure ? <Failure of={report.data.failure} /> : null}
        <DataTable
          label="Owed and held"
          columns={columns}
          list={wholeList({ ...report, data: report.data?.holdings })}
          idOf={({ network, contractAddress }) => `${network} ${contractAddress}`}
          empty={
            <Empty icon="chain" title={report.data?.at ? 'The ledger owes nothing' : 'Nothing was compared yet'}>
              {report.data ? `The service compares every ${formatDuration(report.data.everySeconds * 1000)}.` : null}
            </Empty>
          }
        />
      </Card>
      <p class="none">
        More may be held than is owed: the deployment’s own coins, and deposits on their way. Less may not. Withdrawals
        that may have left already, and what portfolios hold, are not counted.
      </p>
      <Loaded of={report}>{(data) => <Orders of={data} />}</Loaded>
      {isComparing ? <Compare onClose={() => setComparing(false)} /> : null}
    </>
  )
}

function When({ of: { at } }: { of: Report }) {
  if (at === null) return <span>not compared since the start</span>
  return (
    <span>
      <Age since={at} /> ago
    </span>
  )
}

const Failure = ({ of: { at, message } }: { of: NonNullable<Report['failure']> }) => (
  <Note tone="wait">
    The last comparison, at <Time at={at} zone />, could not be made: {message}. Below stands what was found before.
  </Note>
)

const columns: Column<Holding>[] = [
  {
    head: 'Asset',
    narrow: 'lead',
    cell: ({ assetCode, isShort }) => <b class={isShort ? 'chain-bad' : undefined}>{assetCode}</b>,
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
  {
    head: 'Difference',
    align: 'end',
    narrow: 'end',
    cell: ({ difference, isShort }) =>
      difference === null ? (
        <span class="none">none</span>
      ) : (
        <span class={isShort ? 'chain-bad' : undefined}>
          <Amount value={isShort || difference === '0' ? difference : `+${difference}`} />
        </span>
      ),
  },
  { head: 'Verdict', narrow: 'sub-end', cell: (holding) => <Verdict of={holding} /> },
]

function Verdict({ of: { held, isShort, isShortTwice } }: { of: Holding }) {
  if (held === null) return <Badge>not compared</Badge>
  if (!isShort) return <Status value="agrees" tone="good" />
  return <Status value={isShortTwice ? 'too little, twice' : 'too little'} tone="bad" />
}

function Orders({ of: { orders, missing, differing } }: { of: Report }) {
  return (
    <Card title="Withdrawals against the wallet service">
      {missing > 0 ? (
        <Note tone="bad">
          {counted(missing, 'completed withdrawal')} {missing === 1 ? 'is' : 'are'} not confirmed by the wallet service.
          `bun run reconcile` names them.
        </Note>
      ) : null}
      {differing === 0 ? (
        <Empty icon="check" title={missing > 0 ? 'No other difference' : 'Both sides agree'} />
      ) : (
        <ul class="chain-orders">
          {orders.map(({ id, what }) => (
            <li key={id} class="chain-problem">
              <Id value={id} href={`/console/transactions/${id}`} /> {what}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

const Compare = ({ onClose }: { onClose(): void }) => (
  <Act
    title="Compare ledger and chains now?"
    confirm="Compare"
    act={async ({ idempotencyKey }) => {
      await core.POST('/books/reconciliation/rounds', { headers: { 'Idempotency-Key': idempotencyKey } })
    }}
    done="Ledger and chains are compared"
    onDone={() => void queries.invalidateQueries({ queryKey: ['reconciliation'] })}
    onClose={onClose}
  >
    <p>It asks the wallet service and the chains what they hold, and changes nothing. It may take a few seconds.</p>
  </Act>
)
