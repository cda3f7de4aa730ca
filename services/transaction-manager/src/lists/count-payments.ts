import { and, count, type Db, eq, inArray, or, prepared, type SQL, sql } from '@bursar/store'
import type { AnyColumn } from '@bursar/store/schema'
import type { PaymentStatus, PaymentType } from '../payments/states'
import { paymentCounts, uncountedMoves } from './counts.table'
import { anybody } from './fold-counts'
import { participantsOfSearch, type Search } from './search'

/** How many payments have this type, status and currency. */
export interface Group {
  type: PaymentType
  status: PaymentStatus
  currency: string
  payments: number
}

/** All payments, or those that a search finds, by type, status and currency: exact, without going over them. */
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
    // Between two that the search finds a payment was counted twice.
    for (const group of await countsOfPairs(db).execute({ ...search })) add(group, -group.payments)
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

const countsWhere = (where: (db: Db) => SQL | undefined) =>
  prepared((db) =>
    db
      .select({ ...group, payments: sql<number>`sum(${paymentCounts.payments})`.mapWith(Number) })
      .from(paymentCounts)
      .where(where(db))
      .groupBy(...Object.values(group)),
  )
const { fromId, toId } = paymentCounts
const isFound = (db: Db, column: AnyColumn) => inArray(column, participantsOfSearch(db))

const allCounts = countsWhere(() => and(eq(fromId, anybody), eq(toId, anybody)))
const countsOfSenders = countsWhere((db) => and(isFound(db, fromId), eq(toId, anybody)))
const countsOfReceivers = countsWhere((db) => and(eq(fromId, anybody), isFound(db, toId)))
const countsOfPairs = countsWhere((db) => and(isFound(db, fromId), isFound(db, toId)))

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
