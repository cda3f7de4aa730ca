import { useEffect, useRef, useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { bodyPageOf, dataOf, payments, serviceUrl } from '../../api/services'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Act } from '../../ui/act'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { Dialog } from '../../ui/dialog'
import { DialogButton } from '../../ui/dialog-button'
import { Labelled, useChecked } from '../../ui/field'
import { Filters } from '../../ui/filters'
import { useKeys } from '../../ui/keys'
import { usePeriod } from '../../ui/period-filter'
import { PlainTable } from '../../ui/plain-table'
import { RunDialog, SelectionBar, useSelected } from '../../ui/run-dialog'
import { Empty } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { MoveButtons } from './move-buttons'
import { moveWords, needsReason } from './moves'
import { commonMoves, statuses, typeWords } from './moves-of'
import { parseTransfers } from './parse-transfers'
import { movePayment, type Payment, type PaymentStatus, queryOf } from './payment'
import { paymentColumns, selectable } from './payment-columns'
import { SumLine, sumsByCurrency } from './sums'

const names = ['search', 'type', 'status', 'participantId', 'from', 'to'] as const

/** The list of payments; open ones can be selected and moved together. */
export function Payments() {
  const filters = useFilters(names)
  const isOperator = useCan('operate')
  // Here and not in the bar: refusals stay visible when their row has left the list.
  const [chosen, setChosen] = useState<{ to: PaymentStatus; of: readonly Payment[] } | null>(null)
  const query = { ...queryOf(filters.values), ...usePeriod(filters.values) }
  const list = useList<Payment>({
    key: ['payments', query],
    page(after, limit, signal, offset) {
      // A search goes on by offset: it does not combine with a keyset or times.
      const { search, from, to, participantId, ...rest } = query
      const asked = search
        ? { ...rest, search, limit, offset }
        : { ...rest, from, to, participantId, order: 'desc' as const, after, limit }
      return bodyPageOf(payments.GET('/transactions', { params: { query: asked }, signal }))
    },
    everyMs: 15_000,
  })
  const { selected, selecting, toggle, clear } = useSelected(list.rows, selectable)
  // Rows selected under other filters are no longer visible.
  useEffect(clear, [JSON.stringify(query)])
  const all = (list.rows ?? []).filter(selectable.isSelectable)
  const moves = commonMoves(selected)
  useKeys(isOperator ? [{ key: 's', does: 'Select the row', group: 'Lists', run: toggleFocused }] : [])
  return (
    <>
      <div class="ends">
        <Filters
          label="Filter payments"
          of={filters}
          fields={[
            { kind: 'text', name: 'search', label: 'Participant, reference, hash or id', isWide: true },
            { kind: 'choice', name: 'type', label: 'Type', options: Object.entries(typeWords) },
            { kind: 'choice', name: 'status', label: 'Status', options: statuses },
            { kind: 'period', name: 'from', to: 'to', label: 'Days' },
            { kind: 'text', name: 'participantId', label: 'Participant’s id', isOnlySet: true },
          ]}
        />
        <div class="row">
          {isOperator ? (
            <DialogButton icon="swap" dialog={(close) => <SendMany onClose={close} />}>
              Order many
            </DialogButton>
          ) : null}
          <CsvLink href={serviceUrl('transactions', '/transactions/export')} query={exportQueryOf(query)} />
        </div>
      </div>
      {isOperator && selected.length > 0 ? (
        <SelectionBar of={selected} thing="payment" sums={<SumLine of={selected} />} clear={clear}>
          <MoveButtons isSmall moves={moves} choose={(to) => setChosen({ to, of: selected })} />
          {moves.length === 0 ? (
            <span class="none">No step applies to all of them: select payments with the same status</span>
          ) : null}
          {selected.length < all.length ? (
            <Button isSmall look="quiet" onClick={() => toggle(all)}>
              Select all {all.length} shown
            </Button>
          ) : null}
        </SelectionBar>
      ) : null}
      <DataTable
        label="Payments"
        columns={paymentColumns}
        list={list}
        hrefOf={({ id }) => `/console/bank/${id}`}
        selecting={isOperator ? selecting : null}
        empty={
          <Empty icon="bank" title={filters.hasAny ? 'No payment matches these filters' : 'There is no payment yet'}>
            {filters.hasAny ? null : <p>Participants order deposits, withdrawals and transfers by the API.</p>}
          </Empty>
        }
      />
      {chosen ? <MoveMany {...chosen} onClose={() => setChosen(null)} onAllDone={clear} /> : null}
    </>
  )
}

/** The checkbox of the row in which the focus is. */
const toggleFocused = () =>
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()

const exportQueryOf = ({
  type,
  status,
  from,
  to,
  participantId,
}: ReturnType<typeof queryOf> & ReturnType<typeof usePeriod>) => ({
  type: type?.[0],
  status: status?.[0],
  from,
  to,
  participantId,
})

interface MoveManyProps {
  to: PaymentStatus
  of: readonly Payment[]
  onClose(): void
  /** None was refused. */
  onAllDone(): void
}

/** Moves payments one after the other, once the exact sums are confirmed. */
function MoveMany({ to, of, onClose, onAllDone }: MoveManyProps) {
  const { verb, effect, done } = moveWords[to]
  return (
    <RunDialog
      title={`${verb}: ${counted(of.length, 'payment')}?`}
      verb={verb}
      thing="payment"
      look={needsReason(to) ? 'danger' : 'main'}
      note={{
        label: 'Reason',
        min: needsReason(to) ? 3 : 0,
        hint: 'Kept in the history of each payment, with your name.',
      }}
      of={of}
      send={(payment, { note, headers }) => movePayment(payment, { to, comment: note, headers })}
      readAgain={() => reread(['payments'])}
      onEnded={(refused) => (refused === 0 ? onAllDone() : undefined)}
      done={(results) => `${counted(results.length, 'payment')} ${done}`}
      name={({ type, reference, amount, currency }) => (
        <>
          <strong>
            {typeWords[type]} {reference}
          </strong>{' '}
          <Amount value={amount} asset={currency} />
        </>
      )}
      onClose={onClose}
    >
      <SumTable of={of} what="Payments" />
      <p>{effect} Each payment is decided by itself: one that is refused holds up no other.</p>
    </RunDialog>
  )
}

interface Refusal {
  line: number
  message: string
}

/** Orders many transfers, each with its own request, once their exact sums are confirmed. */
function SendMany({ onClose }: { onClose(): void }) {
  const [text, setText] = useState('')
  const [refused, setRefused] = useState<readonly Refusal[] | null>(null)
  const found = useRef<readonly Refusal[]>([])
  const of = useChecked(true)
  const { transfers, problems } = parseTransfers(text)
  const isReady = transfers.length > 0 && problems.length === 0
  if (refused) return <Refused of={refused} onClose={onClose} />
  return (
    <Act
      title="Order many transfers?"
      confirm={isReady ? `Order ${counted(transfers.length, 'transfer')}` : 'Order'}
      act={async ({ headers }) => {
        const { data } = await dataOf(
          payments.POST('/transfer/execute-many-send-payment', {
            headers,
            body: { transfers: [...transfers] },
          }),
        )
        return data.flatMap(({ index, error }) => (error ? [{ line: index + 1, message: error.message }] : []))
      }}
      done={(list) => `${counted(transfers.length - list.length, 'transfer')} ordered`}
      onDone={(list) => {
        reread(['payments'])
        found.current = list
      }}
      // Refusals are shown instead.
      onClose={() => (found.current.length > 0 ? setRefused(found.current) : onClose())}
    >
      <Labelled
        of={of}
        label="Transfers, one per line"
        hint="From account, to account, amount, currency, reference: separated by commas or tabs. An account is its id at its custodian bank, or the id of the participant."
      >
        <textarea
          {...of.control}
          class="mono send-many-text"
          rows={6}
          required
          spellcheck={false}
          value={text}
          onInput={(event) => {
            of.control.onInput()
            setText(event.currentTarget.value)
            event.currentTarget.setCustomValidity(parseTransfers(event.currentTarget.value).problems[0] ?? '')
          }}
        />
      </Labelled>
      {problems.length > 0 ? (
        <ul class="bad" role="status">
          {problems.slice(0, 5).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      ) : null}
      {isReady ? <SumTable of={transfers} what="Transfers" /> : null}
    </Act>
  )
}

const Refused = ({ of, onClose }: { of: readonly Refusal[]; onClose(): void }) => (
  <Dialog title={`${counted(of.length, 'transfer')} refused`} onClose={onClose}>
    <div class="act">
      <p>The others are ordered.</p>
      <ul class="refusals">
        {of.map(({ line, message }) => (
          <li key={line}>
            <strong>Transfer {line}</strong> <span class="sub">{message}</span>
          </li>
        ))}
      </ul>
      <div class="act-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </div>
  </Dialog>
)

/** The exact sum in each currency. */
const SumTable = ({ of, what }: { of: Parameters<typeof sumsByCurrency>[0]; what: string }) => (
  <PlainTable
    label="Sums by currency"
    heads={['Currency', what, 'Sum']}
    rows={sumsByCurrency(of).map(({ currency, sum, count }) => [
      currency,
      count,
      <span class="act-big">
        <Amount value={sum} />
      </span>,
    ])}
  />
)
