/** What of a table says how one of its rows looks. */
interface TableOf<Row> {
  idOf(row: Row): string
  hrefOf?(row: Row): string
  onSelect?(row: Row): void
  selectedId?: string | null
  selecting?: { isSelectable?(row: Row): boolean; isSelected(row: Row): boolean; nameOf(row: Row): string } | null
}

/** The looks of a row in values that are compared: a table gets new functions each time that its page is rendered. */
export interface ShownRow<Row> {
  row: Row
  href: string | undefined
  canChoose: boolean
  isChosen: boolean
  /** The name of its checkbox; null for a row that cannot be selected, undefined in a table without them. */
  checkbox: string | null | undefined
  isChecked: boolean
}

export const shownRow = <Row>(
  { idOf, hrefOf, onSelect, selectedId, selecting }: TableOf<Row>,
  row: Row,
): ShownRow<Row> => ({
  row,
  href: hrefOf?.(row),
  canChoose: onSelect !== undefined,
  isChosen: selectedId != null && selectedId === idOf(row),
  checkbox: selecting ? (selecting.isSelectable?.(row) === false ? null : selecting.nameOf(row)) : undefined,
  isChecked: selecting?.isSelected(row) ?? false,
})

export const looksTheSame = <Props extends object>(shown: Props, next: Props): boolean =>
  (Object.keys(next) as (keyof Props)[]).every((name) => Object.is(shown[name], next[name]))
