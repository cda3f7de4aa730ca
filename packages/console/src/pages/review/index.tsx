import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import type { List } from '../../api/list'
import { useOpenReviews } from '../../api/open-work'
import { useAssignments } from '../../api/review-notes'
import { useCan, useSession } from '../../api/session'
import { formatCount } from '../../format/amount'
import { outcomeOf } from '../../ui/act'
import { Button, LinkButton } from '../../ui/button'
import { DataTable } from '../../ui/data-table'
import { Kbd } from '../../ui/kbd'
import { useKeys } from '../../ui/keys'
import { Page } from '../../ui/page'
import { SelectionBar, useSelected } from '../../ui/run-dialog'
import { Empty, Note } from '../../ui/states'
import { Tabs, useTabs } from '../../ui/tabs'
import { useMedia } from '../../ui/use-media'
import DecisionDialog from '../transactions/decision-dialog'
import { kindWord } from '../transactions/kind'
import { columns } from './columns'
import { DecideMany } from './decide-many'
import { GroupHead } from './group-head'
import { ItemDetails } from './item-details'
import { mayApprove } from './own-part'
import { groupedItems, groupKey } from './review-groups'
import { type ReviewDecision, type ReviewItem, useReview } from './review-query'
import { SelectedSums } from './selected-sums'

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

/** In groups: all of them, or those that are assigned to this user. */
function useMine(all: List<ReviewItem>, isMine: boolean): List<ReviewItem> {
  const { user } = useSession()
  const rows = all.rows && groupedItems(all.rows)
  const { data, error, refetch } = useAssignments(isMine ? (rows ?? []).map(({ id }) => id) : [])
  if (!isMine || rows === undefined || rows.length === 0) return { ...all, rows }
  const mine = new Set(data?.filter(({ userId }) => userId === user.id).map(({ transactionId }) => transactionId))
  return {
    ...all,
    rows: data && rows.filter(({ id }) => mine.has(id)),
    error: all.error ?? error,
    reload() {
      all.reload()
      void refetch()
    },
  }
}

interface Row {
  id: string
}

/**
 * The chosen row: at first `initial`, or the first row. When it leaves the list the row that takes its place is
 * chosen, and `onGone` is called with its id.
 */
function usePlace(rows: readonly Row[] | undefined, initial: string | null, onGone: (id: string) => void) {
  const [id, setId] = useState(initial)
  const place = useRef(0)
  const isSeen = useRef(false)
  const index = rows?.findIndex((row) => row.id === id) ?? -1
  useEffect(() => {
    if (!rows) return
    if (index >= 0) {
      place.current = index
      isSeen.current = true
      return
    }
    if (id !== null && isSeen.current) onGone(id)
    setId(rows[Math.min(place.current, rows.length - 1)]?.id ?? null)
  }, [rows, index, id])
  return [id, setId] as const
}

/** The result of a decision: it stays on the page after its row has left. */
interface Outcome {
  id: string
  tone: 'good' | 'bad' | 'wait'
  /** `Not carried out.` */
  title: string
  words: string
}

function Outcomes({ of, dismiss }: { of: readonly Outcome[]; dismiss(outcome: Outcome): void }) {
  return (
    <>
      {of.map((outcome) => (
        <Note key={`${outcome.id} ${outcome.title}`} tone={outcome.tone}>
          <div class="ends outcome">
            <span>
              <strong>{outcome.title}</strong> {outcome.words}{' '}
              <a href={`/console/transactions/${outcome.id}`}>Show the transaction</a>
            </span>
            <Button look="quiet" isSmall onClick={() => dismiss(outcome)}>
              Dismiss
            </Button>
          </div>
        </Note>
      ))}
    </>
  )
}

/** One decision about several; `leftOut` are those that this user may not approve. */
interface ManyDecision {
  decision: ReviewDecision
  of: readonly ReviewItem[]
  leftOut: number
}

interface Props {
  of: readonly ReviewItem[]
  clear(): void
  decide(what: ManyDecision): void
}

/** The selected transactions, their sums, and what can be decided about all of them. */
function ChosenBar({ of, clear, decide }: Props) {
  const { user } = useSession()
  const approvable = of.filter((item) => mayApprove(item, user.id))
  return (
    <SelectionBar of={of} thing="transaction" sums={<SelectedSums of={of} />} clear={clear}>
      <Button isSmall look="danger" onClick={() => decide({ decision: 'reject', of, leftOut: 0 })}>
        Reject {of.length}…
      </Button>
      <Button
        isSmall
        look="main"
        disabled={approvable.length === 0}
        onClick={() => decide({ decision: 'approve', of: approvable, leftOut: of.length - approvable.length })}
      >
        Approve {approvable.length}…
      </Button>
    </SelectionBar>
  )
}
