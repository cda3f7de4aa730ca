import type { ListedName } from '@bursar/contracts/sanctions'
import {
  and,
  asc,
  count,
  type Db,
  desc,
  eq,
  gte,
  inArray,
  insertInto,
  listParams,
  listSize,
  listValues,
  or,
  param,
  params,
  prepared,
  sql,
  type Tx,
  variants,
} from '@bursar/store'
import { fail } from '../errors'
import type { ListRow } from '../lists/current-list'
import { getDraft, updateList } from '../lists/lists'
import { nameWords } from './name-words'
import { listedNames, listedNameWords } from './names.table'

/** Adds names to a draft, unless it has more than `first` names: then these were already added. */
export async function addNames(tx: Tx, id: number, first: number, names: readonly ListedName[]): Promise<ListRow> {
  const draft = await getDraft(tx, id)
  if (draft.names > first) return draft
  if (draft.names < first) throw fail('LIST_INCOMPLETE', { message: `The list has ${draft.names} names so far` })
  for (const { entryId, name } of names) {
    const words = nameWords(name)
    const nameSeq = await insertName(tx).execute({ listId: id, entryId, name, words: words.length })
    for (const word of words) await insertWord(tx).execute({ listId: id, word, nameSeq })
  }
  const filled = { ...draft, names: first + names.length }
  await updateList(tx).execute(filled)
  return filled
}

/** A listed name that matches a screened one. */
interface NameMatch extends ListedName {
  /** Whether both have the same words; if not, all words of one, at least two, are in the other. */
  isSame: boolean
}

/** The maximum number of matches in one answer. */
const mostMatches = 20

/** The names of a list that match a name, exact matches first. */
export async function matchingNames(db: Db, listId: number, name: string): Promise<NameMatch[]> {
  const words = nameWords(name)
  if (words.length === 0) return []
  const values = { listId, asked: words.length, limit: mostMatches, ...listValues('word', words) }
  const rows = await namesLike({ words: listSize(words) })(db).execute(values)
  return rows.map(({ entryId, name, isSame }) => ({ entryId, name, isSame: isSame === 1 }))
}

const insertName = prepared((db) => db.insert(listedNames).values(params(listedNames)), 'key')
const insertWord = insertInto(listedNameWords)

const namesLike = variants(({ words }: { words: number }) => (db) => {
  const shared = db
    .select({ nameSeq: listedNameWords.nameSeq, shared: count().as('shared') })
    .from(listedNameWords)
    .where(and(eq(listedNameWords.listId, param('listId')), inArray(listedNameWords.word, listParams('word', words))))
    .groupBy(listedNameWords.nameSeq)
    .as('shared_words')
  const asked = sql`cast(${param('asked')} as integer)`
  const isSame = sql<number>`case when ${shared.shared} = ${asked} and ${shared.shared} = ${listedNames.words} then 1 else 0 end`
  const isWithin = or(eq(shared.shared, asked), eq(shared.shared, listedNames.words))
  return db
    .select({ entryId: listedNames.entryId, name: listedNames.name, isSame: isSame.mapWith(Number) })
    .from(shared)
    .innerJoin(listedNames, eq(listedNames.seq, shared.nameSeq))
    .where(and(isWithin, or(gte(shared.shared, 2), eq(isSame, 1))))
    .orderBy(desc(isSame), asc(listedNames.seq))
    .limit(param('limit'))
})
