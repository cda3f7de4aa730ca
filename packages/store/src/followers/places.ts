import { and, asc, gt } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { metaValue, putMetaValue } from '../engine/meta-values'
import type { changes } from '../schema/shared.table'
import { highestGiven } from '../statements/highest-given'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import type { Arrived, Follower, Source } from './follower'
import { cut, rangesOf } from './ranges'

/** By kind, the number up to which rows were processed. */
type Places<K extends string> = Readonly<Record<K, number>>

const noLimit = -1

export async function keptPlaces<K extends string>(db: Db, follower: string, kinds: readonly K[]): Promise<Places<K>> {
  const kept = new Map<string, number>(Object.entries(JSON.parse((await metaValue(db, placeName(follower))) ?? '{}')))
  return Object.fromEntries(kinds.map((kind) => [kind, kept.get(kind) ?? 0])) as Places<K>
}

export const keepPlaces = (tx: Tx, follower: string, kept: Places<string>): Promise<unknown> =>
  putMetaValue(tx, placeName(follower), JSON.stringify(kept))

/** The metadata name of a follower's place: JSON, a number by kind. */
export const placeName = (follower: string): string => `place of ${follower}`

/**
 * A follower of rows that are committed in the order of their numbers: it stores its place in the commit of its work.
 */
export function placeFollower<K extends string>(name: string, sources: Record<K, Source>): Follower<K> {
  const kinds = Object.keys(sources) as K[]
  const rows = Object.fromEntries(kinds.map((kind) => [kind, rowsOf(sources[kind])])) as Record<K, Rows>

  const placesOf = (db: Db): Promise<Places<K>> => keptPlaces(db, name, kinds)

  async function waiting(db: Db): Promise<Arrived<K>> {
    const places = await placesOf(db)
    const found = kinds.map(async (kind) => [kind, await rows[kind](db, places[kind], noLimit)])
    return Object.fromEntries(await Promise.all(found)) as Arrived<K>
  }

  return {
    waiting,
    highest: placesOf,
    async take(tx, most) {
      const places = await placesOf(tx)
      const next: Record<string, number> = { ...places }
      const taken: Record<string, Arrived<K>[K]> = {}
      let room = most
      for (const kind of kinds) {
        const found = room === 0 ? [] : await rows[kind](tx, places[kind], room)
        taken[kind] = found
        for (const [from, to] of found) room -= to - from + 1
        next[kind] = found.at(-1)?.[1] ?? places[kind]
      }
      if (room < most) await keepPlaces(tx, name, next)
      return taken as Arrived<K>
    },
    async oldest(db) {
      const places = await placesOf(db)
      for (const kind of kinds) {
        if ((await rows[kind](db, places[kind], 1)).length === 0) continue
        return Object.values<number>(places).reduce((sum, place) => sum + place, 0)
      }
      return null
    },
  }
}

/** The numbers of the rows after a place, at most `most`. */
type Rows = (db: Db, after: number, most: number) => Promise<Arrived<string>[string]>

/**
 * If all rows of a table are followed: every number ever assigned, also of rows that were deleted past the service, so
 * that the reader notices that they are missing.
 */
function rowsOf({ number, only }: Source): Rows {
  const table = number.table as SQLiteTable
  if (!only) {
    return async (db, after, most) => {
      const last = await highestGiven(db, table)
      if (last <= after) return []
      return most === noLimit ? [[after + 1, last]] : cut([[after + 1, last]], most)[0]
    }
  }
  const numbers = numbersAfter({ number, only })
  return async (db, after, most) => {
    const found = await numbers(db).execute({ after, limit: most })
    return rangesOf(found.map((row) => row.number))
  }
}

/** The numbers of the existing rows after `after`, at most `limit`. */
export const numbersAfter = ({ number, only }: Source) =>
  prepared((db) =>
    db
      .select({ number: number as typeof changes.seq })
      .from(number.table as SQLiteTable)
      .where(and(gt(number, param('after')), only))
      .orderBy(asc(number))
      .limit(param('limit')),
  )
