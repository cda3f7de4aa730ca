import { getTableName, type Table } from 'drizzle-orm'
import type { OpenStore } from './open-store'

/**
 * Keeps what a read found for as long as nobody writes to the tables it read, so that what is read often and written
 * seldom (a catalogue) costs no query. Exact: a commit's callers are answered after what it changed is forgotten here.
 * Rows that a foreign key deletes count to the table the statement names: list that one too.
 * It holds because this process is the only one that writes to the database; where it is not, read without.
 *
 * `most` bounds how many keys are kept; with one more, all are forgotten. From then on a value is kept when it is asked
 * for a second time: where more keys are asked for than can be kept, keeping each would cost more than reading it does.
 * What `read` rejects with is not kept. The value is shared by those who ask for it: nobody may change it.
 */
export function remember<V>(
  store: OpenStore,
  options: { tables: readonly Table[]; most: number },
  read: (key: string) => Promise<V>,
): (key: string) => Promise<V> {
  const names = options.tables.map(getTableName)
  const known = new Map<string, { version: number; value: V }>()
  // Keys that were asked for once, while there are more than can be kept.
  const once = new Set<string>()
  let isCrowded = false

  function keep(key: string, version: number, value: V) {
    if (known.size >= options.most) {
      known.clear()
      isCrowded = true
    }
    if (isCrowded && !once.delete(key)) {
      if (once.size >= options.most) once.clear()
      once.add(key)
    } else known.set(key, { version, value })
  }

  return async (key) => {
    // Before the read: a commit in between then makes the value look outdated, never the other way round.
    const version = store.versionOf(names)
    const found = known.get(key)
    if (found?.version === version) return found.value
    const value = await read(key)
    keep(key, version, value)
    return value
  }
}
