// The console offers what the transaction manager allows: each has a table of its own, for a page loads no service's code.
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import {
  moves,
  type PaymentStatus,
  type PaymentType,
  statuses,
  types,
} from '../../services/transaction-manager/src/payments/states'

// By its path: the console has types of its own, of a browser.
const { movesOf } = (await import(join(import.meta.dir, '../../packages/console/src/pages/bank/moves-of.ts'))) as {
  movesOf(payment: { type: PaymentType; status: PaymentStatus }): readonly PaymentStatus[]
}

test.each(types.map((type) => [type]))('%s', (type) => {
  const offered = Object.fromEntries(statuses.map((status) => [status, movesOf({ type, status }).toSorted()]))
  const allowed = Object.fromEntries(statuses.map((status) => [status, moves[type][status].toSorted()]))
  expect(offered).toEqual(allowed)
})
