import { and, asc, gte, lt } from 'drizzle-orm'
import { insertMissing } from '../statements/row-batches'
import { type Db, param, prepared, type Tx } from '../statements/statements'
import type { searchTextsTable } from './search-texts.table'
import { folded } from './text-search'

type SearchTexts = ReturnType<typeof searchTextsTable>

/** The most characters indexed; longer texts are found by their beginning. */
const longest = 100
/** Words of one text by which it is found. */
const mostWords = 10
/** The most texts read per search; with more matches a caller types more. */
const mostFound = 1000

/** A folded text from the beginning of each of its words: `harbour-treasury`, `treasury`. */
export function wordStarts(given: string): string[] {
  const text = folded(given).trim()
  const places = [...text.matchAll(/(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => index)
  return [...new Set([0, ...places.slice(0, mostWords)])].map((at) => text.slice(at, at + longest)).filter(Boolean)
}

/** The range of texts that start with what was typed: the first one, and the first after them. */
export function startingWith(typed: string): { searchFrom: string; searchTo: string } {
  const searchFrom = folded(typed).trim().slice(0, longest)
  return { searchFrom, searchTo: `${searchFrom}\u{10ffff}` }
}

/** The search index in a service's table. */
export function textIndex(texts: SearchTexts) {
  const isFound = and(gte(texts.text, param('searchFrom')), lt(texts.text, param('searchTo')))
  const firstTexts = prepared((db) =>
    db.select({ id: texts.recordId }).from(texts).where(isFound).orderBy(asc(texts.text)).limit(param('limit')),
  )
  const insertTexts = insertMissing(texts)
  return {
    /** Adds texts of a record, in the commit that gives it them. */
    async add(tx: Tx, recordId: string, given: readonly (string | null)[]): Promise<void> {
      const all = new Set(given.flatMap((text) => (text === null ? [] : wordStarts(text))))
      await insertTexts(
        tx,
        [...all].map((text) => ({ text, recordId })),
      )
    },
    /** The ids of the first records with a word that starts as typed; exact matches come first. */
    async first(db: Db, typed: string, limit: number): Promise<string[]> {
      const rows = await firstTexts(db).execute({ ...startingWith(typed), limit: limit * mostWords })
      return [...new Set(rows.map(({ id }) => id))].slice(0, limit)
    },
    /**
     * A subquery of the records with a word that starts as typed: the first thousand in order of their texts. Takes the
     * values of `startingWith`.
     */
    found: (db: Db) =>
      db.select({ id: texts.recordId }).from(texts).where(isFound).orderBy(asc(texts.text)).limit(mostFound),
  }
}
