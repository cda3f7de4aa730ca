import { Component, type ComponentChildren, type JSX, type RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type List, ownId, type Told } from '../api/list'
import { formatCount, formatTotal } from '../format/amount'
import { useAlignedAmounts } from './aligned-amounts'
import { Button } from './button'
import { Card } from './card'
import { looksTheSame, type ShownRow, shownRow } from './shown-row'
import { Empty, ErrorNote, Stale } from './states'
import { useRows } from './table-rows'

export interface Column<Row> {
  head: string
  /** Null leaves the cell blank. */
  cell(row: Row): ComponentChildren
  /** `end` for numbers. */
  align?: 'end'
  /** Takes the room that the other columns leave; what does not fit ends with an ellipsis. One column of a table. */
  isWide?: boolean
  /**
   * Where it goes in a card, below 760 px: `lead` and `end` share the first line, `sub` and `sub-end` the second one,
   * `hide` leaves it out. Without it the cell has a line of its own, with its head before it.
   */
  narrow?: 'lead' | 'end' | 'sub' | 'sub-end' | 'hide'
  /** Left out of tables narrower than 900 px (`true`) or 1240 px (`much`), which would scroll sideways. */
  needsRoom?: boolean | 'much'
}

/** The rows that are selected for one act. */
export interface Selecting<Row> {
  /** Without it every row can be selected. */
  isSelectable?(row: Row): boolean
  isSelected(row: Row): boolean
  toggle(row: Row): void
  /** For screen readers: `Withdrawal of 10 USDC`. */
  nameOf(row: Row): string
}

interface DataTableProps<Row> {
  /** The title of the card that it stands in, and what is beside that; without it the table stands by itself. */
  title?: string
  aside?: ComponentChildren
  /** The table's name for screen readers, unless it is the title: `Transactions`. */
  label?: string
  columns: readonly Column<Row>[]
  list: List<Row>
  /**
   * The page of a row: its first cell becomes the link, and the whole row is clickable. The first cell must not contain
   * a link or a button then.
   */
  hrefOf?(row: Row): string
  /** Instead of a page: the row is chosen here. */
  onSelect?(row: Row): void
  selectedId?: string | null
  /** Rows of one group stand together below its head; the list has them in that order. */
  groupOf?(row: Row): { key: string; head: ComponentChildren }
  /** A checkbox before each row. */
  selecting?: Selecting<Row> | null
  /** Shown when there is no row; give the reason and the next step. */
  empty?: ComponentChildren
}

/** A table that scrolls sideways must be reachable by keyboard, and needs a name then. */
const reachable = (label: string) => ({
  role: 'region' as const,
  tabIndex: 0,
  'aria-label': `${label}, scrolls sideways`,
})

const classOf = ({ align, needsRoom, isWide }: Pick<Column<never>, 'align' | 'needsRoom' | 'isWide'>) =>
  [
    align === 'end' ? 'is-end' : '',
    isWide ? 'is-wide' : '',
    needsRoom ? (needsRoom === 'much' ? 'needs-much-room' : 'needs-room') : '',
  ]
    .filter(Boolean)
    .join(' ') || undefined

/** Rows with their states, walked by `j` `k` and opened by `Enter`. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>): JSX.Element
export function DataTable<Row>(props: DataTableProps<Row> & Told<Row>): JSX.Element
export function DataTable<Row>({ title, aside, ...of }: DataTableProps<Row> & Partial<Told<Row>>) {
  const table = <Table label={title} {...of} idOf={of.idOf ?? ownId} />
  if (title === undefined) return table
  return (
    <Card title={title} aside={aside} isFlush>
      {table}
    </Card>
  )
}

function Table<Row>(props: DataTableProps<Row> & Told<Row>) {
  const { label = '', columns, list, empty, selecting } = props
  const latest = useRef(props)
  latest.current = props
  const body = useRef<HTMLTableSectionElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { isCutOff, isAtEnd } = useCutOff(scroller)
  const loadMore = () => {
    const { list } = latest.current
    if (list.hasMore && !list.isLoadingMore) list.loadMore()
  }
  useRows(body, loadMore)
  useAlignedAmounts(body, list.rows !== undefined && list.rows.length > 0)
  if (list.rows === undefined && list.error) return <ErrorNote error={list.error} retry={list.reload} />
  if (list.rows?.length === 0) return <>{empty ?? <Empty title="There is nothing here yet" />}</>
  return (
    <div class={isCutOff && !isAtEnd ? 'table-frame is-cut-off' : 'table-frame'}>
      {list.error ? <Stale error={list.error} readAt={list.readAt} retry={list.reload} /> : null}
      <div ref={scroller} class="table-scroller" {...(isCutOff ? reachable(label) : {})}>
        <table class="table" aria-label={label} aria-busy={list.isPending || list.isRefreshing}>
          <thead>
            <tr>
              {selecting ? (
                <th scope="col" class="is-check">
                  <span class="visually-hidden">Select</span>
                </th>
              ) : null}
              {columns.map((column) => (
                <th key={column.head} scope="col" class={classOf(column)}>
                  {column.head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody ref={body} onPointerOver={tellWhole}>
            {list.rows
              ? list.rows.flatMap((row, i) => [
                  ...headBefore(props, list.rows?.[i - 1], row),
                  <TableRow key={props.idOf(row)} {...shownRow(props, row)} columns={columns} latest={latest} />,
                ])
              : Array.from({ length: 8 }, (_, i) => <BoneRow key={i} columns={columns} />)}
          </tbody>
        </table>
      </div>
      <More list={list} loadMore={loadMore} />
    </div>
  )
}

/** What is cut off with an ellipsis is told on hover. */
function tellWhole({ target }: Event): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null
  if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? ''
}

/** The head of a group, before its first row. */
function headBefore<Row>({ groupOf, columns, selecting }: DataTableProps<Row>, before: Row | undefined, row: Row) {
  const group = groupOf?.(row)
  if (!group || (before !== undefined && groupOf?.(before).key === group.key)) return []
  return [
    <tr key={`group ${group.key}`} class="group">
      <th colSpan={columns.length + (selecting ? 1 : 0)} scope="rowgroup">
        {group.head}
      </th>
    </tr>,
  ]
}

interface RowProps<Row> extends ShownRow<Row> {
  columns: readonly Column<Row>[]
  latest: RefObject<DataTableProps<Row>>
}

/** Rendered again only if what it shows has changed: a list that is read again has mostly the same rows. */
class TableRow<Row> extends Component<RowProps<Row>> {
  override shouldComponentUpdate(next: RowProps<Row>): boolean {
    return !looksTheSame(this.props, next)
  }

  override render() {
    const { row, columns, href, canChoose, isChosen, checkbox, isChecked, latest } = this.props
    return (
      <tr class={[href || canChoose ? 'can-open' : '', isChosen ? 'is-selected' : ''].join(' ').trim() || undefined}>
        {checkbox === undefined ? null : (
          <td class="is-check" data-narrow="hide">
            {checkbox === null ? null : (
              <input
                type="checkbox"
                aria-label={`Select ${checkbox}`}
                checked={isChecked}
                onChange={() => latest.current?.selecting?.toggle(row)}
              />
            )}
          </td>
        )}
        {columns.map((column, i) => (
          <td key={column.head} class={classOf(column)} data-head={column.head} data-narrow={column.narrow}>
            <div class="cell">{i === 0 ? this.opener(column.cell(row)) : column.cell(row)}</div>
          </td>
        ))}
      </tr>
    )
  }

  opener(content: ComponentChildren) {
    const { row, href, canChoose, isChosen, latest } = this.props
    if (href) {
      return (
        <a class="row-open" href={href}>
          {content}
        </a>
      )
    }
    if (!canChoose) return content
    return (
      <button type="button" class="row-open" aria-pressed={isChosen} onClick={() => latest.current?.onSelect?.(row)}>
        {content}
      </button>
    )
  }
}

function BoneRow<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column, i) => (
        <td key={column.head} class={classOf(column)} data-narrow={column.narrow}>
          <span class={`bone bone-${i % 3}`} />
        </td>
      ))}
    </tr>
  )
}

/** Up to this many rows no count is shown. */
const fewRows = 20

/** The number of shown rows, and the button for more; at the end of a page one scrolls on without it. */
function More<Row>({ list, loadMore }: { list: List<Row>; loadMore(): void }) {
  const foot = useRef<HTMLDivElement>(null)
  useScrolledTo(foot, loadMore, list.hasMore ? list.rows?.length : undefined)
  if (!list.rows || (!list.hasMore && list.rows.length <= fewRows)) return null
  const shown = formatCount(list.rows.length)
  return (
    <div ref={foot} class="table-foot">
      <span>{list.total !== null && list.hasMore ? `${shown} of ${formatTotal(list.total)}` : `${shown} shown`}</span>
      {list.hasMore ? (
        <Button isSmall disabled={list.isLoadingMore} onClick={loadMore}>
          {list.isLoadingMore ? 'Loading…' : 'Load more'}
        </Button>
      ) : null}
    </div>
  )
}

/** How much of the page may be left below a list that goes on by itself: what stands below others stays in reach. */
const mostBelow = 120

/**
 * Calls `more` when one scrolls near a list's foot; once for so many `rows`, so that a failed page is not asked for over
 * and over: its button stays.
 */
function useScrolledTo(foot: RefObject<HTMLElement | null>, more: () => void, rows: number | undefined): void {
  useEffect(() => {
    if (!foot.current || rows === undefined) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        const { scrollHeight } = document.documentElement
        if (!entry?.isIntersecting || scrollHeight - scrollY - entry.boundingClientRect.bottom > mostBelow) return
        observer.disconnect()
        more()
      },
      { rootMargin: '400px' },
    )
    observer.observe(foot.current)
    return () => observer.disconnect()
  }, [rows])
}

/**
 * Whether an element's content is wider than it: it scrolls then, and must be reachable by keyboard. `isAtEnd`: it is
 * scrolled to its end.
 */
function useCutOff(element: RefObject<HTMLElement | null>): { isCutOff: boolean; isAtEnd: boolean } {
  const [isCutOff, setCutOff] = useState(false)
  const [isAtEnd, setAtEnd] = useState(false)
  useEffect(() => {
    const scroller = element.current
    if (!scroller) return
    const measure = () => {
      setCutOff(scroller.scrollWidth > scroller.clientWidth + 1)
      setAtEnd(scroller.scrollLeft + scroller.clientWidth >= scroller.scrollWidth - 1)
    }
    const observer = new ResizeObserver(measure)
    observer.observe(scroller)
    for (const child of scroller.children) observer.observe(child)
    scroller.addEventListener('scroll', measure, { passive: true })
    return () => {
      observer.disconnect()
      scroller.removeEventListener('scroll', measure)
    }
  })
  return { isCutOff, isAtEnd }
}
