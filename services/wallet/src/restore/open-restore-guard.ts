import type { Log } from '@bursar/contracts/log'
import { and, eq, isNotNull, param, prepared, type Store } from '@bursar/store'
import { orders } from '../orders/orders.table'
import { findHold, isHeld, putHold } from './restore-hold'
import { createRunNotes, type Run, readRun, runFileName, writeRun } from './run-file'

/** Keeps a database that was set back to an older state from paying what was paid since. */
export interface RestoreGuard {
  /** Resolves once it is noted outside the database that this order is signed: only then may a signature leave. */
  noteSigned(orderId: string): Promise<void>
  /** Ends the hold: all orders are carried out. */
  release(): Promise<void>
}

/**
 * Compares the database with the run file: where that is missing, of another line of history, or names a signed order
 * that this database has not signed, the database is an older one. Orders from before now wait for an operator then.
 */
export async function openRestoreGuard(dataDir: string, store: Store, log: Log): Promise<RestoreGuard> {
  const known = await findHold(store.read)
  const run = readRun(dataDir)
  const isNew = known === undefined && run === null && (await firstOrder(store.read).execute()).length === 0
  const problem = isNew ? null : await problemOf(store, run, known?.line)
  let line = known?.line ?? crypto.randomUUID()
  if (problem !== null) {
    log.error({ file: runFileName, problem }, 'The database was set back: older orders wait for an operator')
    await store.commit((tx) => putHold(tx, line, new Date()))
  } else if (known === undefined) await store.commit((tx) => putHold(tx, line, null))
  // After the hold is stored: a crash in between finds the same problem again.
  if (run === null || run.line !== line) await writeRun(dataDir, { line, signed: run?.signed ?? [] })
  let older = problem === null && known?.before == null ? [] : (run?.signed ?? [])
  return {
    // What was signed in the other line of history stays noted until the hold is released.
    noteSigned: createRunNotes((signed) => writeRun(dataDir, { line, signed: [...older, ...signed] })),
    async release() {
      line = crypto.randomUUID()
      older = []
      await store.commit((tx) => putHold(tx, line, null))
      await writeRun(dataDir, { line, signed: [] })
    },
  }
}

async function problemOf(store: Store, run: Run | null, line: string | undefined): Promise<string | null> {
  if (run === null) return 'it is missing'
  if (run.line !== line) return 'it belongs to another database'
  for (const id of run.signed) {
    const [signed] = await signedOrder(store.read).execute({ id })
    // What waits already cannot be paid again.
    const isProblem = !signed && !(await isHeld(store.read, { id, createdAt: new Date() }))
    if (isProblem) return `it names order ${id} as signed, and the database does not`
  }
  return null
}

const firstOrder = prepared((db) => db.select({ id: orders.id }).from(orders).limit(1))
const signedOrder = prepared((db) =>
  db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.id, param('id')), isNotNull(orders.signedAt))),
)
