import type { ComponentChildren, RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { List } from '../api/list'
import { formatCount, formatTotal } from '../format/amount'
import { Button } from './button'
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
  /** The table's name for screen readers: `Transactions`. */
  label: string
  columns: readonly Column<Row>[]
  list: List<Row>
  idOf(row: Row): string
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
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, list, empty, selecting } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const { isCutOff, isAtEnd } = useCutOff(scroller)
  useRows(body)
  useAlignedAmounts(body, list.rows, columns)
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
                  <TableRow key={props.idOf(row)} row={row} {...props} />,
                ])
              : Array.from({ length: 8 }, (_, i) => <BoneRow key={i} columns={columns} />)}
          </tbody>
        </table>
      </div>
      <More list={list} />
    </div>
  )
}

/** What is cut off with an ellipsis is told on hover. */
function tellWhole({ target }: Event): void {
  const cell = target instanceof Element ? target.closest<HTMLElement>('.cell') : null
  if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent ?? ''
}

/**
 * Fills all fractions and all codes of a table up to the width of the longest one, so that amounts meet at the point. By
 * padding: boxes of their own would be read as words of their own.
 */
function useAlignedAmounts(body: RefObject<HTMLTableSectionElement | null>, ...shown: readonly unknown[]): void {
  useLayoutEffect(() => {
    for (const [selector, unit] of [
      ['.amount .fraction', '1ch'],
      ['.amount b', '0.72em'],
    ] as const) {
      const parts = [...(body.current?.querySelectorAll<HTMLElement>(selector) ?? [])]
      const lengthOf = ({ textContent }: HTMLElement) => textContent.length
      const longest = Math.max(0, ...parts.map(lengthOf))
      for (const part of parts) part.style.setProperty('--fill', `calc(${longest - lengthOf(part)} * ${unit})`)
    }
  }, shown)
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

function TableRow<Row>({
  row,
  columns,
  idOf,
  hrefOf,
  onSelect,
  selectedId,
  selecting,
}: DataTableProps<Row> & { row: Row }) {
  const isSelected = selectedId !== undefined && selectedId === idOf(row)
  const open = (content: ComponentChildren) => {
    if (hrefOf) {
      return (
        <a class="row-open" href={hrefOf(row)}>
          {content}
        </a>
      )
    }
    if (!onSelect) return content
    return (
      <button type="button" class="row-open" aria-pressed={isSelected} onClick={() => onSelect(row)}>
        {content}
      </button>
    )
  }
  const canOpen = hrefOf !== undefined || onSelect !== undefined
  return (
    <tr class={[canOpen ? 'can-open' : '', isSelected ? 'is-selected' : ''].join(' ').trim() || undefined}>
      {selecting ? (
        <td class="is-check" data-narrow="hide">
          {selecting.isSelectable?.(row) === false ? null : (
            <input
              type="checkbox"
              aria-label={`Select ${selecting.nameOf(row)}`}
              checked={selecting.isSelected(row)}
              onChange={() => selecting.toggle(row)}
            />
          )}
        </td>
      ) : null}
      {columns.map((column, i) => (
        <td key={column.head} class={classOf(column)} data-head={column.head} data-narrow={column.narrow}>
          <div class="cell">{i === 0 ? open(column.cell(row)) : column.cell(row)}</div>
        </td>
      ))}
    </tr>
  )
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

/** The number of shown rows, and the button for more. */
function More<Row>({ list }: { list: List<Row> }) {
  if (!list.rows || (!list.hasMore && list.rows.length <= fewRows)) return null
  const shown = formatCount(list.rows.length)
  return (
    <div class="table-foot">
      <span>{list.total !== null && list.hasMore ? `${shown} of ${formatTotal(list.total)}` : `${shown} shown`}</span>
      {list.hasMore ? (
        <Button isSmall disabled={list.isLoadingMore} onClick={list.loadMore}>
          {list.isLoadingMore ? 'Loading…' : 'Load more'}
        </Button>
      ) : null}
    </div>
  )
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
