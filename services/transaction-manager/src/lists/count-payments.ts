import {
  and,
  count,
  type Db,
  eq,
  inArray,
  nextTurn,
  or,
  param,
  prepared,
  queryAmong,
  type SQL,
  sql,
} from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import { paymentCounts, uncountedMoves } from '../payments/counts.table'
import { anybody } from '../payments/fold-counts'
import type { PaymentStatus, PaymentType } from '../payments/states'
import { participantsOfSearch, type Search } from './search'

/** The number of payments with this type, status and currency. */
export interface Group {
  type: PaymentType
  status: PaymentStatus
  currency: string
  payments: number
}

/** All payments, or those that a search finds, by type, status and currency: exact, without scanning them. */
export async function countGroups(db: Db, search: Search | null): Promise<Group[]> {
  const groups = new Map<string, Group>()
  const add = ({ type, status, currency }: Omit<Group, 'payments'>, payments: number) => {
    const key = `${type} ${status} ${currency}`
    groups.set(key, { type, status, currency, payments: (groups.get(key)?.payments ?? 0) + payments })
  }
  const moves = search ? movesOfSearch : allMoves
  if (search) {
    for (const counts of [countsOfSenders, countsOfReceivers]) {
      for (const group of await counts(db).execute({ ...search })) add(group, group.payments)
    }
    // A payment between two found participants was counted twice. One statement per sender: each is short, and
    // other requests are answered in between.
    for (const sender of search.participants) {
      for (const group of await countsOfPairs(db, search.participants, { sender })) add(group, -group.payments)
      await nextTurn()
    }
  } else for (const group of await allCounts(db).execute()) add(group, group.payments)
  for (const { fromStatus, toStatus, times, ...group } of await moves(db).execute({ ...search })) {
    add({ ...group, status: toStatus }, times)
    if (fromStatus) add({ ...group, status: fromStatus }, -times)
  }
  for (const row of search?.exact ?? []) add(row, 1)
  return [...groups.values()].filter(({ payments }) => payments > 0)
}

export const sumOf = (groups: readonly Group[]): number => groups.reduce((sum, { payments }) => sum + payments, 0)

const group = { type: paymentCounts.type, status: paymentCounts.status, currency: paymentCounts.currency }
const move = {
  type: uncountedMoves.type,
  currency: uncountedMoves.currency,
  fromStatus: uncountedMoves.fromStatus,
  toStatus: uncountedMoves.toStatus,
}

const selectCounts = (where: (db: Db) => SQL | undefined) => (db: Db) =>
  db
    .select({ ...group, payments: sql<number>`sum(${paymentCounts.payments})`.mapWith(Number) })
    .from(paymentCounts)
    .where(where(db))
    .groupBy(...Object.values(group))
const countsWhere = (where: (db: Db) => SQL | undefined) => prepared(selectCounts(where))
const { fromId, toId } = paymentCounts
const isFound = (db: Db, column: AnyColumn) => inArray(column, participantsOfSearch(db))

const allCounts = countsWhere(() => and(eq(fromId, anybody), eq(toId, anybody)))
const countsOfSenders = countsWhere((db) => and(isFound(db, fromId), eq(toId, anybody)))
const countsOfReceivers = countsWhere((db) => and(eq(fromId, anybody), isFound(db, toId)))
const countsOfPairs = queryAmong((receivers) =>
  selectCounts(() => and(eq(fromId, param('sender')), inArray(toId, receivers))),
)

const movesWhere = (where: (db: Db) => SQL | undefined) =>
  prepared((db) =>
    db
      .select({ ...move, times: count() })
      .from(uncountedMoves)
      .where(where(db))
      .groupBy(...Object.values(move)),
  )
const allMoves = movesWhere(() => undefined)
const movesOfSearch = movesWhere((db) => or(isFound(db, uncountedMoves.fromId), isFound(db, uncountedMoves.toId)))
