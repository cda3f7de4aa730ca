import { useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { useOpenReviews } from '../../api/open-work'
import { useCan, useSession } from '../../api/session'
import { formatCount } from '../../format/amount'
import { outcomeOf } from '../../ui/act'
import { LinkButton } from '../../ui/button'
import { DataTable } from '../../ui/data-table'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Page } from '../../ui/page'
import { useSelected } from '../../ui/run-dialog'
import { Empty } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { useMedia } from '../../ui/use-media'
import DecisionDialog from '../transactions/decision-dialog'
import { kindWord } from '../transactions/kind'
import { ChosenBar, type ManyDecision } from './chosen-bar'
import { columns } from './columns'
import { DecideMany } from './decide-many'
import { GroupHead } from './group-head'
import { ItemDetails } from './item-details'
import { type Outcome, Outcomes } from './outcomes'
import { mayApprove } from './own-part'
import { groupKey } from './review-groups'
import { type ReviewDecision, type ReviewItem, useReview } from './review-query'
import { useMine } from './use-mine'
import { usePlace } from './use-place'

const overtaken = (id: string): Outcome => ({
  id,
  tone: 'wait',
  title: 'Decided meanwhile.',
  words: 'Somebody else has decided the transaction that you were looking at.',
})

/** Frozen transactions, oldest first, decided one after the other. */
export default function Review() {
  const read = useReview()
  const whose = useTabs('of', [
    ['', 'All'],
    ['me', 'Mine'],
  ])
  const isMine = whose.value === 'me'
  const list = useMine(read, isMine)
  const { query } = useLocation()
  // The list and the details of one are side by side.
  const isWide = useMedia('(min-width: 1000px)')
  const mayDecide = useCan('operate')
  const { user } = useSession()
  const { outcomes, settled, add, dismiss, dismissOf } = useOutcomes()
  const [selectedId, select] = usePlace(list.rows, query.id ?? null, (id) => {
    if (!settled.has(id) && !read.rows?.some((row) => row.id === id)) add(overtaken(id))
  })
  const selected = list.rows?.find(({ id }) => id === selectedId)
  const [open, setOpen] = useState<{ decision: ReviewDecision; item: ReviewItem } | null>(null)
  // Here and not in the bar, which goes with the last selected one: refusals stay visible.
  const [many, setMany] = useState<ManyDecision | null>(null)
  const { selected: chosen, selecting, toggle, clear, drop } = useSelected(list.rows, { nameOf })
  const decide = (decision: ReviewDecision) => {
    if (!mayDecide || !selected || (decision === 'approve' && !mayApprove(selected, user.id))) return
    setOpen({ decision, item: selected })
  }
  useKeys([
    { key: 'a', does: 'Approve', group: 'This page', run: () => decide('approve') },
    { key: 'x', does: 'Reject', group: 'This page', run: () => decide('reject') },
    {
      key: 's',
      does: 'Select for a decision about several',
      group: 'This page',
      run: () => (mayDecide && selected ? toggle([selected]) : undefined),
    },
  ])
  return (
    <Page
      title="Review queue"
      actions={
        <>
          <Hint count={read.rows?.length} mayDecide={mayDecide && isWide} />
          <Tabs label="Whose reviews" of={whose} />
        </>
      }
    >
      <Outcomes of={outcomes} dismiss={dismiss} />
      {mayDecide && chosen.length > 0 ? <ChosenBar of={chosen} clear={clear} decide={setMany} /> : null}
      <div class="columns is-review">
        <DataTable
          label="Frozen transactions"
          columns={columns}
          list={list}
          groupOf={(item) => ({
            key: groupKey(item),
            head: <GroupHead of={item} all={list.rows ?? []} {...(mayDecide ? { select: toggle } : {})} />,
          })}
          selecting={mayDecide ? selecting : null}
          {...(isWide
            ? { onSelect: ({ id }: ReviewItem) => select(id), selectedId }
            : { hrefOf: ({ id }: ReviewItem) => `/console/transactions/${id}` })}
          empty={isMine && read.rows?.length ? <NoneOfMine /> : <NothingWaits />}
        />
        {selected && isWide ? <ItemDetails item={selected} {...(mayDecide ? { decide } : {})} /> : null}
      </div>
      {many ? <DecideMany {...many} onSent={drop} onClose={() => setMany(null)} /> : null}
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
            add({ id: open.item.id, tone: 'bad', title: outcomeOf(error), words: `${error.message}.` })
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
    <p class="hint row">
      {formatCount(Math.max(all, count))} frozen, oldest first.
      {mayDecide ? (
        <span>
          <Kbd keys="j" /> <Kbd keys="k" /> walk, <Kbd keys="a" /> approve, <Kbd keys="x" /> reject
        </span>
      ) : null}
    </p>
  )
}

/** For screen readers. */
const nameOf = ({ type, amount, asset }: ReviewItem) => `${kindWord(type)} of ${amount} ${asset.code}`

const NoneOfMine = () => (
  <Empty icon="check" title="None is assigned to you">
    <p>Others wait: choose “All”, and take one.</p>
  </Empty>
)

const NothingWaits = () => (
  <Empty icon="check" title="Nothing waits for a decision">
    <p>Transactions that fail their screening are frozen, and appear here automatically.</p>
    <LinkButton href="/console/transactions?status=PENDING">Transactions being screened</LinkButton>
  </Empty>
)
