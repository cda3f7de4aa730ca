import { useEffect, useState } from 'preact/hooks'
import { useList } from '../../api/list'
import { bodyPageOf, payments, serviceUrl } from '../../api/services'
import { useCan } from '../../api/session'
import { useStore } from '../../api/store'
import { givenFilters } from '../../format/filters'
import { periodOf } from '../../format/time'
import { CsvLink } from '../../ui/csv-link'
import { DataTable } from '../../ui/data-table'
import { DialogButton } from '../../ui/dialog-button'
import { Filters, useFilters } from '../../ui/filters'
import { useKeys } from '../../ui/keys'
import { zoneStore } from '../../ui/preferences'
import { Empty } from '../../ui/states'
import { MoveMany } from './move-many'
import { statuses, typeWords } from './moves-of'
import type { Payment, PaymentStatus, PaymentType } from './payment'
import { nameOfPayment, paymentColumns, selectable } from './payment-columns'
import { SelectionBar } from './selection-bar'
import { SendMany } from './send-many'

const names = ['search', 'type', 'status', 'participantId', 'from', 'to'] as const

/** The list of payments; open ones can be selected and moved together. */
export function Payments() {
  const filters = useFilters(names)
  const zone = useStore(zoneStore)
  const isOperator = useCan('operate')
  const [selected, setSelected] = useState<ReadonlyMap<string, Payment>>(new Map())
  // Here and not in the bar: refusals stay visible when their row has left the list.
  const [chosen, setChosen] = useState<{ to: PaymentStatus; of: readonly Payment[] } | null>(null)
  const query = queryOf(filters.values, zone)
  const list = useList<Payment>({
    key: ['payments', query],
    page: (after, limit, signal) => pageOfPayments(query, after, limit, signal),
    everyMs: 15_000,
  })
  // Rows selected under other filters are no longer visible.
  useEffect(() => setSelected(new Map()), [JSON.stringify(query)])
  const shown = (list.rows ?? []).filter(selectable)
  // The current state of the selected rows.
  const current = shown.filter((row) => selected.has(row.id))
  const toggle = (row: Payment) => {
    const next = new Map(selected)
    if (!next.delete(row.id)) next.set(row.id, row)
    setSelected(next)
  }
  useKeys(isOperator ? [{ key: 's', does: 'Select the row', group: 'Lists', run: toggleFocused }] : [])
  return (
    <>
      <div class="bank-filters">
        <Filters
          label="Filter payments"
          of={filters}
          fields={[
            { kind: 'text', name: 'search', label: 'Participant, reference, hash or id', isWide: true },
            { kind: 'choice', name: 'type', label: 'Type', options: Object.entries(typeWords) },
            { kind: 'choice', name: 'status', label: 'Status', options: statuses },
            { kind: 'period', name: 'from', to: 'to', label: 'Days' },
            // Other pages link here with it.
            ...(filters.values.participantId
              ? [{ kind: 'text' as const, name: 'participantId' as const, label: 'Participant’s id' }]
              : []),
          ]}
        />
        <div class="bank-acts">
          {isOperator ? (
            <DialogButton icon="swap" dialog={(close) => <SendMany onClose={close} />}>
              Order many
            </DialogButton>
          ) : null}
          <CsvLink href={serviceUrl('transactions', '/transactions/export')} query={exportQueryOf(query)} />
        </div>
      </div>
      {isOperator && current.length > 0 ? (
        <SelectionBar
          of={current}
          choose={(to) => setChosen({ to, of: current })}
          clear={() => setSelected(new Map())}
          all={shown.length}
          selectAll={() => setSelected(new Map(shown.map((row) => [row.id, row])))}
        />
      ) : null}
      <DataTable
        label="Payments"
        columns={paymentColumns}
        list={list}
        hrefOf={({ id }) => `/console/bank/${id}`}
        selecting={
          isOperator
            ? {
                isSelectable: selectable,
                isSelected: ({ id }) => selected.has(id),
                toggle,
                nameOf: nameOfPayment,
              }
            : null
        }
        empty={
          <Empty icon="bank" title={filters.hasAny ? 'No payment matches these filters' : 'There is no payment yet'}>
            {filters.hasAny ? null : <p>Participants order deposits, withdrawals and transfers by the API.</p>}
          </Empty>
        }
      />
      {chosen ? (
        <MoveMany {...chosen} onClose={() => setChosen(null)} onAllDone={() => setSelected(new Map())} />
      ) : null}
    </>
  )
}

/** The checkbox of the row in which the focus is. */
const toggleFocused = () =>
  document.activeElement?.closest('tr')?.querySelector<HTMLInputElement>('input[type="checkbox"]')?.click()

interface Query {
  search?: string | undefined
  type?: PaymentType[] | undefined
  status?: PaymentStatus[] | undefined
  participantId?: string | undefined
  from?: string | undefined
  to?: string | undefined
}

function queryOf(values: Record<(typeof names)[number], string>, zone: 'utc' | 'local'): Query {
  const { search, type, status, participantId } = givenFilters(values)
  return {
    search,
    participantId,
    type: type ? [type as PaymentType] : undefined,
    status: status ? [status as PaymentStatus] : undefined,
    ...periodOf(values, zone),
  }
}

/** A search returns its first hundred matches: it does not combine with a keyset or times. */
function pageOfPayments(query: Query, after: string | undefined, limit: number, signal: AbortSignal) {
  const { search, from, to, participantId, ...rest } = query
  const asked = search
    ? { ...rest, search, limit: 100 }
    : { ...rest, from, to, participantId, order: 'desc' as const, after, limit }
  return bodyPageOf(payments.GET('/transactions', { params: { query: asked }, signal }))
}

const exportQueryOf = ({ type, status, from, to, participantId }: Query) => ({
  type: type?.[0],
  status: status?.[0],
  from,
  to,
  participantId,
})
