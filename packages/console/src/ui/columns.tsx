import type { Column } from './data-table'

type Cell<Row> = Column<Row>['cell']

/** The amount that a row is about; in a card it ends the first line. */
export const amountColumn = <Row,>(cell: Cell<Row>, head = 'Amount'): Column<Row> => ({
  head,
  align: 'end',
  narrow: 'end',
  cell,
})

/** The buttons of each row, for whoever may press them. */
export const actsColumn = <Row,>(isAllowed: boolean, cell: Cell<Row>): Column<Row>[] =>
  isAllowed ? [{ head: 'Acts', align: 'end', cell }] : []
