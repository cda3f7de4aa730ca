// Whether a run has made what its attacks need: on a busy machine some seconds bring little.
import { rows } from './recount/read-files'
import type { Stack } from './stack'

const wanted = [
  "SELECT 1 FROM transactions WHERE type = 'WITHDRAWAL' AND status = 'COMPLETED' AND network = 'ethereum' LIMIT 1",
  "SELECT 1 FROM journal WHERE kind = 'release' LIMIT 1",
]

/** A withdrawal that was paid on the node, and a hold that was let go. */
export function isEnough({ file }: Pick<Stack, 'file'>): boolean {
  try {
    return wanted.every((sql) => rows(file('core-ledger'), sql).length > 0)
  } catch {
    // A restore is putting the database back.
    return false
  }
}
