import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useOpenReviews } from '../../api/open-work'
import { useCan } from '../../api/session'
import { formatCount } from '../../format/amount'
import { LinkButton } from '../../ui/button'
import { DataTable } from '../../ui/data-table'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Page } from '../../ui/page'
import { Empty } from '../../ui/states'
import { columns } from './columns'
import { readAgain } from './decide'
import { type Decision, DecisionDialog } from './decision-dialog'
import { ItemDetails } from './item-details'
import { type Outcome, Outcomes } from './outcomes'
import { type ReviewItem, useReview } from './review-query'
import { useIsWide } from './use-is-wide'
import { useSelection } from './use-selection'

const overtaken = (id: string): Outcome => ({
  id,
  tone: 'wait',
  title: 'Decided meanwhile.',
  words: 'Somebody else has decided the transaction that you were looking at.',
})

/** Frozen transactions, oldest first, decided one after the other. */
export default function Review() {
  const list = useReview()
  const { query } = useLocation()
  const isWide = useIsWide()
  const mayDecide = useCan('operate')
  const { outcomes, settled, add, dismiss, dismissOf } = useOutcomes()
  const [selectedId, select] = useSelection(list.rows, query.id ?? null, (id) => {
    if (!settled.has(id)) add(overtaken(id))
  })
  const selected = list.rows?.find(({ id }) => id === selectedId)
  const [open, setOpen] = useState<{ decision: Decision; item: ReviewItem } | null>(null)
  const decide = (decision: Decision) => {
    if (mayDecide && selected) setOpen({ decision, item: selected })
  }
  useKeys([
    { key: 'a', does: 'Approve', group: 'This page', run: () => decide('approve') },
    { key: 'x', does: 'Reject', group: 'This page', run: () => decide('reject') },
  ])
  return (
    <Page title="Review queue" actions={<Hint count={list.rows?.length} mayDecide={mayDecide && isWide} />}>
      <Outcomes of={outcomes} dismiss={dismiss} />
      <div class="columns is-review">
        <DataTable
          label="Frozen transactions"
          columns={columns}
          list={list}
          idOf={({ id }) => id}
          {...(isWide
            ? { onSelect: ({ id }: ReviewItem) => select(id), selectedId }
            : { hrefOf: ({ id }: ReviewItem) => `/console/transactions/${id}` })}
          empty={<NothingWaits />}
        />
        {selected && isWide ? <ItemDetails item={selected} {...(mayDecide ? { decide } : {})} /> : null}
      </div>
      {open ? (
        <DecisionDialog
          decision={open.decision}
          item={open.item}
          onDone={() => {
            settled.add(open.item.id)
            dismissOf(open.item.id)
          }}
          onRefused={(error) => {
            settled.add(open.item.id)
            add({ id: open.item.id, tone: 'bad', title: 'Not carried out.', words: `${error.message}.` })
            readAgain()
          }}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </Page>
  )
}

function useOutcomes() {
  const [outcomes, set] = useState<readonly Outcome[]>([])
  /** The ids whose outcome was reported already. */
  const settled = useRef(new Set<string>()).current
  return {
    outcomes,
    settled,
    add: (outcome: Outcome) => set((known) => [outcome, ...known.filter(({ id }) => id !== outcome.id)].slice(0, 3)),
    dismiss: (outcome: Outcome) => set((known) => known.filter((each) => each !== outcome)),
    /** Removes the note of an earlier refusal, because the decision has succeeded now. */
    dismissOf: (id: string) => set((known) => known.filter((each) => each.id !== id)),
  }
}

function Hint({ count, mayDecide }: { count: number | undefined; mayDecide: boolean }) {
  const all = useOpenReviews()
  if (!count) return null
  return (
    <p class="hint review-hint">
      {formatCount(Math.max(all, count))} frozen, oldest first.
      {mayDecide ? (
        <span>
          <Kbd keys="j" /> <Kbd keys="k" /> walk, <Kbd keys="a" /> approve, <Kbd keys="x" /> reject
        </span>
      ) : null}
    </p>
  )
}

const NothingWaits = () => (
  <Empty icon="check" title="Nothing waits for a decision">
    <p>Transactions that fail their screening are frozen, and appear here automatically.</p>
    <LinkButton href="/console/transactions?status=PENDING">Transactions being screened</LinkButton>
  </Empty>
)
