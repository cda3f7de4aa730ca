import { comparableAddress } from '@bursar/contracts/address'
import { type Db, eq, folded, param, params, prepared, type Tx } from '@bursar/store'
import { routerWords } from './router-words.table'

/** A participant's router configuration: its meaning is its owner's. */
export type RouterData = Record<string, unknown>

/** The text in which the filter `routerData` searches; null when there is none. */
export const searchableText = (data: RouterData | null): string | null =>
  data === null ? null : folded(JSON.stringify(data))

/** What the filter looks for in that text: a piece of JSON is written as we write it, an object without its braces. */
export function searchedText(wanted: string): string {
  try {
    const value: unknown = JSON.parse(wanted)
    const text = JSON.stringify(value)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? text.slice(1, -1) : text
  } catch {
    return wanted
  }
}

const longestWord = 255

/** Every key and every plain value in the data, each once, wherever it stands. */
export function wordsIn(data: unknown): string[] {
  const words = new Set<string>()
  const rest: unknown[] = [data]
  for (let value = rest.pop(); value !== undefined; value = rest.pop()) {
    if (Array.isArray(value)) rest.push(...value)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) rest.push(key, inner)
    } else if (value !== null) words.add(String(value))
  }
  return [...words].filter((word) => word !== '' && word.length <= longestWord)
}

/** Makes these words all that the participant is found by. */
export async function indexRouterData(tx: Tx, participantId: string, data: RouterData | null): Promise<void> {
  await deleteWords(tx).execute({ participantId })
  for (const word of wordsIn(data)) {
    await insertWord(tx).execute({ participantId, address: comparableAddress(word), name: folded(word) })
  }
}

/** The part of a query that finds the participants whose routerData holds an address, or a name. */
export const participantsWith = (db: Db, column: 'address' | 'name', place: ReturnType<typeof param>) =>
  db.select({ id: routerWords.participantId }).from(routerWords).where(eq(routerWords[column], place))

const deleteWords = prepared((db) =>
  db.delete(routerWords).where(eq(routerWords.participantId, param('participantId'))),
)
const insertWord = prepared((db) => db.insert(routerWords).values(params(routerWords)))
