// On a server, row numbers are not in commit order: a transaction with lower numbers may commit after one with higher
// ones. So a commit that adds followed rows also adds a row that lists their numbers; the follower deletes it in the
// commit of its work. It gets each committed row once, however late.
import { asc, eq, inArray } from 'drizzle-orm'
import type { Attempt } from '../engine/commit-batch'
import { OutsideCommitError } from '../engine/errors'
import { writerOf } from '../engine/writers'
import { arrivals, type Ranges } from '../schema/shared.table'
import { writeAmong } from '../statements/among'
import { byKey, updateBy } from '../statements/plain'
import { insertAll } from '../statements/row-batches'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import { together } from '../statements/together'
import type { Arrived, Follower } from './follower'
import { keepPlaces, keptPlaces } from './places'
import { cut, merged, rangesOf, sizeOf } from './ranges'

/** Arrivals per statement. */
const mostTaken = 100

/** A follower of rows that commits list for it. */
export function arrivalsFollower<K extends string>(name: string, kinds: readonly K[]): Follower<K> {
  const none = () => Object.fromEntries(kinds.map((kind) => [kind, []])) as unknown as Record<K, [number, number][]>
  const inOrder = (found: Record<K, [number, number][]>): Arrived<K> => {
    for (const kind of kinds) found[kind] = merged(found[kind])
    return found
  }

  const highest = (db: Db) => keptPlaces(db, name, kinds)

  return {
    async take(tx, most) {
      const found = none()
      let room = most
      /** Takes the oldest lists; false if there are no more. */
      async function takeSome(): Promise<boolean> {
        const whole: number[] = []
        const cutOff: { number: number; rows: Record<string, Ranges> }[] = []
        const [lists, before] = await together(oldest(tx).execute({ follower: name, limit: mostTaken }), highest(tx))
        for (const { number, rows } of lists) {
          const listed = new Map(Object.entries(rows))
          const left: Record<string, Ranges> = {}
          for (const kind of kinds) {
            const [taken, rest] = cut(listed.get(kind) ?? [], room)
            found[kind].push(...(taken as [number, number][]))
            room -= sizeOf(taken)
            if (rest.length > 0) left[kind] = rest
          }
          if (Object.keys(left).length === 0) whole.push(number)
          else cutOff.push({ number, rows: left })
          if (room === 0) break
        }
        const reached = kinds.map((kind) => [kind, Math.max(before[kind], ...found[kind].map(([, to]) => to))])
        await together(
          remove(tx, whole),
          ...cutOff.map((list) => shorten(tx).execute(list)),
          ...(room < most ? [keepPlaces(tx, name, Object.fromEntries(reached))] : []),
        )
        return lists.length === mostTaken
      }
      // A caller that gets fewer than it asked for takes it that there are no more.
      while (room > 0 && (await takeSome()));
      return inOrder(found)
    },
    highest,
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
 * Writes the lists of a transaction's bodies in that transaction: one row per follower, by one statement. Null when
 * there is nothing to write.
 */
export function noteArrivals(tx: Tx, attempts: readonly Pick<Attempt<unknown>, 'arrived'>[]): Promise<unknown> | null {
  if (attempts.every(({ arrived }) => arrived.size === 0)) return null
  return insertLists(tx, listsOf(attempts))
}

function listsOf(attempts: readonly Pick<Attempt<unknown>, 'arrived'>[]) {
  const all: Attempt<unknown>['arrived'] = new Map()
  for (const { arrived } of attempts) {
    for (const [follower, kinds] of arrived) {
      for (const [kind, numbers] of kinds) list(all, { follower, kind, numbers })
    }
  }
  return [...all].map(([follower, kinds]) => ({
    follower,
    rows: Object.fromEntries([...kinds].map(([kind, numbers]): [string, Ranges] => [kind, rangesOf(numbers)])),
  }))
}

interface Listed {
  follower: string
  kind: string
  numbers: readonly number[]
}

/** Lists rows that this commit adds for a follower. */
export function listArrivals(tx: Tx, listed: Listed): void {
  const attempt = writerOf(tx)?.current()
  if (!attempt) throw new OutsideCommitError(`Rows for ${listed.follower} were listed outside a commit`)
  if (listed.numbers.length > 0) list(attempt.arrived, listed)
}

/** Adds row numbers to a follower's list, by kind. */
function list(lists: Attempt<unknown>['arrived'], { follower, kind, numbers }: Listed): void {
  const ofFollower = lists.getOrInsertComputed(follower, () => new Map())
  ofFollower.getOrInsertComputed(kind, () => []).push(...numbers)
}

const insertLists = insertAll(arrivals)
const shorten = updateBy(arrivals, 'number', ['rows'])
const remove = writeAmong((numbers) => (db) => db.delete(arrivals).where(inArray(arrivals.number, numbers)))
const ofFollower = byKey(arrivals, 'follower')
const oldest = prepared((db) =>
  db
    .select()
    .from(arrivals)
    .where(eq(arrivals.follower, param('follower')))
    .orderBy(asc(arrivals.number))
    .limit(param('limit')),
)
