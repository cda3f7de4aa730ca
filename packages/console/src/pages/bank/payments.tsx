import { useEffect, useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { reread } from '../../api/query'
import { bodyPageOf, payments, serviceUrl } from '../../api/services'
import { useCan } from '../../api/session'
import { counted } from '../../format/words'
import { Amount } from '../../ui/amount'
import { Button } from '../../ui/button'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Filters } from '../../ui/filters'
import { useKeys } from '../../ui/keys'
import { usePeriod } from '../../ui/period-filter'
import { RunDialog, SelectionBar, useSelected } from '../../ui/run-dialog'
import { Empty } from '../../ui/states'
import { useFilters } from '../../ui/use-filters'
import { MoveButtons } from './move-buttons'
import { moveWords, needsReason } from './moves'
import { commonMoves, statuses, typeWords } from './moves-of'
import { movePayment, type Payment, type PaymentStatus, queryOf } from './payment'
import { paymentColumns, selectable } from './payment-columns'
import { SendMany } from './send-many'
import { SumTable } from './sum-table'
import { SumLine } from './sums'

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
