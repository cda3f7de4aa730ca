// Bodies that run at the same time in one transaction are isolated from each other by nothing but this. Each has a key of its
// own. Statements that bind it, and no other body's, concern rows of that key alone: they do not meet. Any other statement
// meets those of other bodies that read what it writes, or write what it reads: all are rolled back then, and run alone.
import type { Access } from '../statements/server'

/** A body did what only a body alone in its transaction may do. */
export class LaneLeftError extends Error {
  override name = 'LaneLeftError'
}

/** What bodies have done with a table: those that bound their key, and those that did not. */
interface Uses {
  readers: Set<string>
  writers: Set<string>
  keyedReaders: Set<string>
  keyedWriters: Set<string>
}

export interface LaneGuard {
  /** Throws LaneLeftError when the body with this key may not run the statement beside the others. */
  check(key: string, access: Access, values: readonly unknown[]): void
}

/** For a transaction of bodies with these keys. */
export function laneGuard(keys: ReadonlySet<string>): LaneGuard {
  const tables = new Map<string, Uses>()
  const usesOf = (table: string): Uses => {
    const known = tables.get(table) ?? {
      readers: new Set(),
      writers: new Set(),
      keyedReaders: new Set(),
      keyedWriters: new Set(),
    }
    tables.set(table, known)
    return known
  }
  const hasOther = (users: ReadonlySet<string>, key: string) => users.size > (users.has(key) ? 1 : 0)
  const leave = (key: string, table: string, why: string): never => {
    throw new LaneLeftError(`A body of ${key} ${why} ${table}`)
  }

  return {
    check(key, { writes, isInsert, reads }, values) {
      const isKeyed = values.includes(key)
      const isOfOther = values.some((value) => value !== key && typeof value === 'string' && keys.has(value))
      if (isOfOther) leave(key, writes ?? reads[0] ?? '', 'names another one in a statement on')
      for (const table of reads) {
        const uses = usesOf(table)
        const meets = hasOther(uses.writers, key) || (!isKeyed && hasOther(uses.keyedWriters, key))
        if (meets) leave(key, table, 'reads what another one writes to')
        const readers = isKeyed ? uses.keyedReaders : uses.readers
        readers.add(key)
      }
      if (writes === null) return
      const uses = usesOf(writes)
      const meets = hasOther(uses.readers, key) || (!isKeyed && hasOther(uses.keyedReaders, key))
      if (meets) leave(key, writes, 'writes to what another one reads from')
      const writers = isKeyed ? uses.keyedWriters : uses.writers
      writers.add(key)
      // A change looks for its rows.
      const readers = isKeyed ? uses.keyedReaders : uses.readers
      if (!isInsert) readers.add(key)
    },
  }
}
