import { useState } from 'preact/hooks'
import { useCan } from '../../api/session'
import { counted, shortenIds } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { amountColumn } from '../../ui/columns'
import { type Column, DataTable } from '../../ui/data-table'
import { OwnerName } from '../../ui/names'
import { RunDialog } from '../../ui/run-dialog'
import { Empty } from '../../ui/states'
import { Status } from '../../ui/status'
import { Age, In } from '../../ui/time'
import { decide, readAgain } from './decide'
import { kindWord } from './kind'
import { byCause, causeOf, type StuckCause } from './stuck-cause'
import { type Stuck, useStuck } from './use-transactions'
import { ownerColumn, whatColumn } from './what-column'

/** Approved transactions that were not carried out, by their cause, with what to do; oldest first. */
export function StuckTransactions() {
  const read = useStuck()
  const mayAct = useCan('operate')
  const list = { ...read, rows: read.rows && byCause(read.rows) }
  const [open, setOpen] = useState<Retried | null>(null)
  return (
    <>
      <DataTable
        label="Stuck transactions, oldest first"
        columns={columns}
        list={list}
        hrefOf={({ id }) => `/console/transactions/${id}`}
        groupOf={({ reason, status }) => {
          const cause = causeOf(reason, status)
          return { key: cause.key, head: <CauseHead cause={cause} all={list.rows} retry={mayAct ? setOpen : null} /> }
        }}
        empty={
          <Empty icon="check" title="Nothing is stuck">
            <p>
              An approved transaction appears here when an attempt fails, or when it is not completed after 15 minutes.
            </p>
          </Empty>
        }
      />
      {open ? <RetryMany {...open} onClose={() => setOpen(null)} /> : null}
    </>
  )
}

interface Retried {
  cause: StuckCause
  of: readonly Stuck[]
}

/** Why they wait, what to do, and the button that tries all of them. */
function CauseHead({
  cause,
  all = [],
  retry,
}: {
  cause: StuckCause
  all: readonly Stuck[] | undefined
  retry: ((of: Retried) => void) | null
}) {
  const of = all.filter(({ reason, status }) => causeOf(reason, status).key === cause.key)
  return (
    <span class="row review-group">
      <span>
        <strong>{cause.title}</strong> <span class="hint">{cause.advice}</span>
      </span>
      {retry && cause.key !== 'paid after all' ? (
        <Button isSmall icon="refresh" onClick={() => retry({ cause, of })}>
          {of.length === 1 ? 'Try it now…' : `Try all ${of.length} now…`}
        </Button>
      ) : null}
    </span>
  )
}

/** Its own account is named in the row. */
const whyOf = (reason: string, accountId: string): string =>
  shortenIds(reason.replace(`Account ${accountId}`, 'The account').replace(`account ${accountId}`, 'the account'))

const columns: Column<Stuck>[] = [
  { head: 'Waits', narrow: 'sub-end', cell: ({ queuedAt }) => <Age since={queuedAt} isShort /> },
  whatColumn,
  { ...ownerColumn, isWide: false },
  amountColumn(({ amount, assetCode }) => <Amount value={amount} asset={assetCode} />),
  { head: 'Network', narrow: 'hide', needsRoom: 'much', cell: ({ network }) => network },
  { head: 'Status', narrow: 'sub', needsRoom: true, cell: ({ status }) => <Status value={status} /> },
  {
    head: 'Why',
    isWide: true,
    cell: ({ reason, accountId }) =>
      reason ? whyOf(reason, accountId) : <span class="none">waits for its network</span>,
  },
  { head: 'Attempts', align: 'end', needsRoom: true, cell: ({ attempts }) => attempts },
  { head: 'Next', cell: ({ nextAttemptAt }) => <NextAttempt at={nextAttemptAt} /> },
]

function NextAttempt({ at }: { at: string | null }) {
  if (at === null) return <b>Settle it by hand</b>
  return Date.parse(at) <= Date.now() ? <>now</> : <In at={at} />
}

/** Brings the next attempts of all transactions of one cause forward. */
function RetryMany({ of, cause, onClose }: Retried & { onClose(): void }) {
  return (
    <RunDialog
      title={`Try ${counted(of.length, 'transaction')} now?`}
      verb="Try"
      thing="transaction"
      note={{ label: 'Note', hint: 'Kept with each transaction, for colleagues and auditors.' }}
      of={of}
      send={(item, input) => decide('retry', item, input)}
      readAgain={readAgain}
      done={(results) => `${counted(results.length, 'attempt')} brought forward`}
      name={({ type, amount, assetCode, accountId }) => (
        <>
          <strong>{kindWord(type)}</strong> <Amount value={amount} asset={assetCode} />{' '}
          <OwnerName accountId={accountId} />
        </>
      )}
      onClose={onClose}
    >
      <p>
        <strong>{cause.title}.</strong> {cause.advice}
      </p>
      <p>Their next attempts begin at once instead of at their times. Nothing is paid twice.</p>
    </RunDialog>
  )
}
