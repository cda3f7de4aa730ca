// Rows in the order in which they were committed. The number that a database gives to a row is no such order: on a server a
// transaction with lower numbers may commit after one with higher ones. So whoever goes through the rows of a table, each
// once, follows their arrivals: a commit that adds rows also adds one that lists their numbers, and the follower deletes
// that one in the commit of its work. It gets each committed row once, however late.
import { asc, eq, inArray } from 'drizzle-orm'
import { arrivals, type Ranges } from '../schema/shared.table'
import { byKey, updateBy } from '../statements/plain'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { listParams, listSize, listValues } from '../statements/value-lists'
import { variants } from '../statements/variants'
import type { Attempt } from './commit-batch'
import { OutsideCommitError } from './errors'
import { writerOf } from './writers'

/** Numbers of rows, by kind. */
export type Arrived<K extends string> = Record<K, Ranges>

/** What goes through the rows of some kinds, each once. */
export interface Follower<K extends string> {
  /** Lists rows that this commit adds. To be called by each commit that adds one. */
  note(tx: Tx, kind: K, numbers: readonly number[]): void
  /** The oldest rows that it has not acted on, at most so many. To be called in the commit of its work. */
  take(tx: Tx, most: number): Promise<Arrived<K>>
  /** All rows that it has not acted on. */
  waiting(db: Db): Promise<Arrived<K>>
  /** The number of the oldest list of such rows; null when there is none. */
  oldest(db: Db): Promise<number | null>
}

/** Arrivals that one commit takes. */
const mostTaken = 100

/** Declares what follows these kinds of rows, by a name of its own within its service. */
export function follower<K extends string>(name: string, kinds: readonly K[]): Follower<K> {
  const none = () => Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<K, [number, number][]>
  const inOrder = (found: Record<K, [number, number][]>): Arrived<K> => {
    for (const kind of kinds) found[kind] = merged(found[kind])
    return found
  }

  return {
    note(tx, kind, numbers) {
      const attempt = writerOf(tx)?.current()
      if (!attempt) throw new OutsideCommitError(`Rows for ${name} were listed outside a commit`)
      if (numbers.length === 0) return
      list(attempt.arrived, { follower: name, kind, numbers })
    },
    async take(tx, most) {
      const found = none()
      let room = most
      const whole: number[] = []
      for (const { number, rows } of await oldest(tx).execute({ follower: name, limit: mostTaken })) {
        const listed = new Map(Object.entries(rows))
        const left: Record<string, Ranges> = {}
        for (const kind of kinds) {
          const [taken, rest] = cut(listed.get(kind) ?? [], room)
          found[kind].push(...(taken as [number, number][]))
          room -= sizeOf(taken)
          if (rest.length > 0) left[kind] = rest
        }
        if (Object.keys(left).length === 0) whole.push(number)
        else await shorten(tx).execute({ number, rows: left })
        if (room === 0) break
      }
      await remove({ size: listSize(whole) })(tx).execute(listValues('number', whole))
      return inOrder(found)
    },
    async waiting(db) {
      const found = none()
      for (const { rows } of await ofFollower(db).execute({ follower: name })) {
        const listed = new Map(Object.entries(rows))
        for (const kind of kinds) found[kind].push(...((listed.get(kind) ?? []) as [number, number][]))
      }
      return inOrder(found)
    },
    oldest: async (db) => (await oldest(db).execute({ follower: name, limit: 1 }))[0]?.number ?? null,
  }
}

/**
 * Writes what the bodies of a transaction have listed, in that transaction: one row for each follower, whatever the number
 * of bodies. Null when there is nothing to write.
 */
export function noteArrivals(tx: Tx, attempts: readonly Pick<Attempt<unknown>, 'arrived'>[]): Promise<unknown> | null {
  if (attempts.every(({ arrived }) => arrived.size === 0)) return null
  return insertArrivals(tx, attempts)
}

async function insertArrivals(tx: Tx, attempts: readonly Pick<Attempt<unknown>, 'arrived'>[]): Promise<void> {
  const all: Attempt<unknown>['arrived'] = new Map()
  for (const { arrived } of attempts) {
    for (const [follower, kinds] of arrived) {
      for (const [kind, numbers] of kinds) list(all, { follower, kind, numbers })
    }
  }
  for (const [follower, kinds] of all) {
    const rows: Record<string, Ranges> = {}
    for (const [kind, numbers] of kinds) rows[kind] = merged(numbers.map((number) => [number, number]))
    await insert(tx).execute({ follower, rows })
  }
}

/** Adds numbers of rows to those that a follower's list has of their kind. */
function list(
  lists: Attempt<unknown>['arrived'],
  { follower, kind, numbers }: { follower: string; kind: string; numbers: readonly number[] },
): void {
  const ofFollower = lists.get(follower) ?? new Map<string, number[]>()
  lists.set(follower, ofFollower)
  const listed = ofFollower.get(kind)
  if (listed) listed.push(...numbers)
  else ofFollower.set(kind, [...numbers])
}

/** The same numbers in as few ranges as that takes. */
export function merged(ranges: readonly (readonly [number, number])[]): [number, number][] {
  const found: [number, number][] = []
  for (const [from, to] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = found.at(-1)
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to)
    else found.push([from, to])
  }
  return found
}

export const sizeOf = (ranges: Ranges): number => ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** The first numbers, at most so many, and the others. */
function cut(ranges: Ranges, most: number): [taken: Ranges, rest: Ranges] {
  const taken: [number, number][] = []
  const rest: [number, number][] = []
  let room = most
  for (const [from, to] of ranges) {
    const end = Math.min(to, from + room - 1)
    if (end >= from) taken.push([from, end])
    if (end < to) rest.push([Math.max(from, end + 1), to])
    room -= Math.max(0, end - from + 1)
  }
  return [taken, rest]
}

const insert = prepared((db) => db.insert(arrivals).values({ follower: param('follower'), rows: param('rows') }))
const shorten = updateBy(arrivals, 'number', ['rows'])
const remove = variants(
  ({ size }: { size: number }) =>
    (db) =>
      db.delete(arrivals).where(inArray(arrivals.number, listParams('number', size))),
)
const ofFollower = byKey(arrivals, 'follower')
const oldest = prepared((db) =>
  db
    .select()
    .from(arrivals)
    .where(eq(arrivals.follower, param('follower')))
    .orderBy(asc(arrivals.number))
    .limit(param('limit')),
)
