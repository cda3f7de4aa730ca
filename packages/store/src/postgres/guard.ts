// Bodies that run at the same time in one transaction are isolated from each other by nothing but this. Each has keys of its
// own. Statements that bind one of them, and none of another body, concern rows of that key alone: they do not meet. Any other
// statement meets those of other bodies that read what it writes, or write what it reads: all are rolled back then, and run alone.
import type { Access } from '../statements/server'

/** A body ran a statement that is allowed only alone in a transaction. */
export class LaneLeftError extends Error {
  override name = 'LaneLeftError'
}

/** The keys of a body; the set also identifies the body. */
type Own = ReadonlySet<string>

/** The bodies that used a table: with a statement that bound a key of theirs, and without. */
interface Uses {
  readers: Set<Own>
  writers: Set<Own>
  keyedReaders: Set<Own>
  keyedWriters: Set<Own>
}

const unused = (): Uses => ({
  readers: new Set(),
  writers: new Set(),
  keyedReaders: new Set(),
  keyedWriters: new Set(),
})

export interface LaneGuard {
  /** Throws LaneLeftError if the body with these keys may not run the statement beside the others. */
  check(own: Own, access: Access, values: readonly unknown[]): void
}

/** For a transaction of bodies that have these keys together. */
export function laneGuard(keys: ReadonlySet<string>): LaneGuard {
  const tables = new Map<string, Uses>()
  const usesOf = (table: string): Uses => tables.getOrInsertComputed(table, unused)
  const hasOther = (users: ReadonlySet<Own>, own: Own) => users.size > (users.has(own) ? 1 : 0)
  const leave = (own: Own, table: string, why: string): never => {
    throw new LaneLeftError(`A body of ${[...own].join(', ')} ${why} ${table}`)
  }

  return {
    check(own, { writes, isInsert, reads }, values) {
      const named = values.filter((value): value is string => typeof value === 'string' && keys.has(value))
      const isKeyed = named.some((key) => own.has(key))
      const isOfOther = named.some((key) => !own.has(key))
      if (isOfOther) leave(own, writes ?? reads[0] ?? '', 'names another one in a statement on')
      for (const table of reads) {
        const uses = usesOf(table)
        const meets = hasOther(uses.writers, own) || (!isKeyed && hasOther(uses.keyedWriters, own))
        if (meets) leave(own, table, 'reads what another one writes to')
        const readers = isKeyed ? uses.keyedReaders : uses.readers
        readers.add(own)
      }
      if (writes === null) return
      const uses = usesOf(writes)
      const meets = hasOther(uses.readers, own) || (!isKeyed && hasOther(uses.keyedReaders, own))
      if (meets) leave(own, writes, 'writes to what another one reads from')
      const writers = isKeyed ? uses.keyedWriters : uses.writers
      writers.add(own)
      // An update or delete also reads.
      const readers = isKeyed ? uses.keyedReaders : uses.readers
      if (!isInsert) readers.add(own)
    },
  }
}
