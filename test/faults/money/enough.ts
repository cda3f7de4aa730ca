// Whether a run has made what its attacks need: on a busy machine some seconds bring little.
import { rows } from './recount/read-files'
import type { World } from './world'

const wanted = [
  "SELECT 1 FROM transactions WHERE type = 'WITHDRAWAL' AND status = 'COMPLETED' AND network = 'ethereum' LIMIT 1",
  "SELECT 1 FROM journal WHERE kind = 'release' LIMIT 1",
]
const ended = "SELECT id FROM transactions WHERE type <> 'DEPOSIT' AND status IN ('REJECTED', 'FAILED')"

/** A withdrawal that was paid on the node, a hold that was let go, and an answered movement that ended otherwise. */
export function isEnough({ stack, promised }: Pick<World, 'stack' | 'promised'>): boolean {
  try {
    const file = stack.file('core-ledger')
    const isAnswered = rows<{ id: string }>(file, ended).some(({ id }) => promised.has(id))
    return isAnswered && wanted.every((sql) => rows(file, sql).length > 0)
  } catch {
    // A restore is putting the database back.
    return false
  }
}
