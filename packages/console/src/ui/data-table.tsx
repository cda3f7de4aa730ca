import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { List } from '../api/list'
import { formatCount, formatTotal } from '../format/amount'
import { Button } from './button'
import { Empty, ErrorNote, Stale } from './states'
import { useRows } from './table-rows'
import { useCutOff } from './use-cut-off'

export interface Column<Row> {
  head: string
  cell(row: Row): ComponentChildren
  /** `end` for numbers. */
  align?: 'end'
  /**
   * Where it goes in a card, below 760 px: `lead` and `end` share the first line, `sub` and `sub-end` the second one,
   * `hide` leaves it out. Without it the cell has a line of its own, with its head before it.
   */
  narrow?: 'lead' | 'end' | 'sub' | 'sub-end' | 'hide'
  /** Left out below 1000 px, where the table would scroll sideways. */
  needsRoom?: boolean
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
  /** Shown when there is no row; give the reason and the next step. */
  empty?: ComponentChildren
}

/** A table that scrolls sideways must be reachable by keyboard, and needs a name then. */
const reachable = (label: string) => ({
  role: 'region' as const,
  tabIndex: 0,
  'aria-label': `${label}, scrolls sideways`,
})

const classOf = ({ align, needsRoom }: Pick<Column<never>, 'align' | 'needsRoom'>): string | undefined =>
  [align === 'end' ? 'is-end' : '', needsRoom ? 'needs-room' : ''].join(' ').trim() || undefined

/** Rows with their states, walked by `j` `k` and opened by `Enter`. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, list, empty } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const frame = useRef<HTMLDivElement>(null)
  const isCutOff = useCutOff(frame)
  useRows(body)
  if (list.rows === undefined && list.error) return <ErrorNote error={list.error} retry={list.reload} />
  if (list.rows?.length === 0) return <>{empty ?? <Empty title="There is nothing here yet" />}</>
  return (
    <div
      ref={frame}
      class={isCutOff ? 'table-frame is-cut-off' : 'table-frame'}
      {...(isCutOff ? reachable(label) : {})}
    >
      {list.error ? <Stale error={list.error} readAt={list.readAt} retry={list.reload} /> : null}
      <table class="table" aria-label={label} aria-busy={list.isPending || list.isRefreshing}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" class={classOf(column)}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {list.rows
            ? list.rows.map((row) => <TableRow key={props.idOf(row)} row={row} {...props} />)
            : Array.from({ length: 8 }, (_, i) => <BoneRow key={i} columns={columns} />)}
        </tbody>
      </table>
      <More list={list} />
    </div>
  )
}

function TableRow<Row>({ row, columns, idOf, hrefOf, onSelect, selectedId }: DataTableProps<Row> & { row: Row }) {
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
