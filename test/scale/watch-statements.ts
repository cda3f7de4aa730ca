import { Database } from 'bun:sqlite'
import { threadMs } from './turns'

/** A watch over the statements of this process. */
export interface WatchedStatements {
  /** The statements since the last call, each with its longest thread time. */
  take(): Map<string, number>
  /** Ends the watch. */
  end(): void
}

type Runs = 'values' | 'all' | 'get' | 'run'

/** Watches every statement that is prepared from now on, on whatever connection of this process. */
export function watchStatements(): WatchedStatements {
  const usual = Database.prototype.prepare
  let longest = new Map<string, number>()
  const note = (text: string, ms: number) => longest.set(text, Math.max(ms, longest.get(text) ?? 0))
  Database.prototype.prepare = function (this: Database, text: string, ...others: []) {
    const statement = usual.call(this, text, ...others)
    for (const name of ['values', 'all', 'get', 'run'] satisfies Runs[]) {
      const run = statement[name].bind(statement) as (...values: unknown[]) => unknown
      const timed = (...values: unknown[]) => {
        const before = threadMs()
        try {
          return run(...values)
        } finally {
          note(text, threadMs() - before)
        }
      }
      Object.defineProperty(statement, name, { value: timed })
    }
    return statement
  } as typeof usual
  return {
    take() {
      const taken = longest
      longest = new Map()
      return taken
    },
    end() {
      Database.prototype.prepare = usual
    },
  }
}
