import { join } from 'node:path'
import type { Log } from '@bursar/contracts/log'
import {
  and,
  dialect,
  eq,
  isNotNull,
  noteRun,
  type OpenStore,
  param,
  prepared,
  type Store,
  type Tx,
  wasSetBack,
} from '@bursar/store'
import { changeOrder, findOrder, isEnded } from '../orders/orders'
import { orders } from '../orders/orders.table'
import { findHold, isHeld, putHold, waitsForOperator } from '../orders/restore-hold'
import { keepSignature, signaturesOf } from '../orders/signatures'
import { type Run, readRun, runFileName, type SignedNote, writeRun } from './run-file'

/** Prevents a database that was restored from an older backup from paying again what was paid since. */
export interface RestoreGuard {
  /** Resolves once the signature is recorded outside the database, where that is a file: only then may it leave the service. */
  noteSigned(note: SignedNote): Promise<void>
  /** Ends the hold: all orders are executed. */
  release(): Promise<void>
}

interface GuardOptions {
  store: OpenStore
  log: Log
  clock: () => Date
}

export const openRestoreGuard = (dataDir: string, options: GuardOptions): Promise<RestoreGuard> =>
  dialect === 'sqlite' ? guardByFile(dataDir, options) : guardByNote(join(dataDir, runFileName), options)

/**
 * On a server, where files are of one machine: who restores it says so in the database (`noteRestored`), and orders from before
 * the start that finds that wait for an operator.
 */
async function guardByNote(name: string, { store, log, clock }: GuardOptions): Promise<RestoreGuard> {
  if (await wasSetBack(store.read, name)) {
    log.error({}, 'The database was restored: older orders wait for an operator (bun run wallet:held)')
    await store.commit((tx) => putHold(tx, crypto.randomUUID(), clock()))
    // After the hold is stored: a crash in between finds the same again.
    await noteRun(store, name)
  }
  return { noteSigned: async () => {}, release: () => endHold(store, crypto.randomUUID(), clock()) }
}

/**
 * Compares the database with the run file. If the file is missing, is of another line of history, or has a signature
 * that this database lacks, the database is an older one: orders from before now wait for an operator, and the
 * signatures of the file are stored here.
 */
async function guardByFile(dataDir: string, { store, log, clock }: GuardOptions): Promise<RestoreGuard> {
  const known = await findHold(store.read)
  const run = readRun(dataDir)
  const isNew = known === undefined && run === null && (await firstOrder(store.read).execute()).length === 0
  const missing = await missingHere(store, run)
  const problem = isNew ? null : await problemOf(store, run, known?.line, { missing, now: clock() })
  let line = known?.line ?? crypto.randomUUID()
  if (problem !== null) {
    log.error(
      { file: runFileName, problem },
      'The database was restored: older orders wait for an operator (bun run wallet:held)',
    )
  }
  if (problem !== null || known === undefined || missing.length > 0) {
    await store.commit(async (tx) => {
      if (problem !== null || known === undefined) await putHold(tx, line, problem === null ? null : clock())
      for (const note of missing) await bringBack(tx, note, clock())
    })
  }
  // After the hold is stored: a crash in between finds the same problem again.
  if (run === null || run.line !== line) await writeRun(dataDir, () => ({ line, signed: run?.signed ?? [] }))
  let older = problem === null && known?.before == null ? [] : (run?.signed ?? [])
  let last: readonly SignedNote[] = []
  let waiting: SignedNote[] = []
  const note = () =>
    writeRun(dataDir, () => {
      if (waiting.length > 0) last = waiting
      waiting = []
      // Signatures of the other line of history stay in the file until the hold is released.
      return { line, signed: [...older, ...last] }
    })
  return {
    noteSigned(signed) {
      waiting.push(signed)
      return note()
    },
    async release() {
      line = crypto.randomUUID()
      older = []
      await endHold(store, line, clock())
      // Orders that the hold did not concern may have been signed meanwhile.
      await note()
    },
  }
}

const endHold = (store: Store, line: string, now: Date): Promise<void> =>
  store.commit(async (tx) => {
    await putHold(tx, line, null)
    // They are rescheduled by up to a minute.
    await wakeHeld(tx).execute({ now })
  })

/** The signatures that are in the run file but not in the database. */
async function missingHere(store: Store, run: Run | null): Promise<SignedNote[]> {
  const missing: SignedNote[] = []
  for (const note of run?.signed ?? []) {
    const kept = await signaturesOf(store.read, note.orderId)
    if (!kept.some(({ txHash }) => txHash === note.txHash)) missing.push(note)
  }
  return missing
}

async function problemOf(
  store: Store,
  run: Run | null,
  line: string | undefined,
  { missing, now }: { missing: readonly SignedNote[]; now: Date },
): Promise<string | null> {
  if (run === null) return 'it is missing'
  if (run.line !== line) return 'it belongs to another database'
  for (const { orderId } of missing) {
    // Orders that wait already cannot be paid again.
    if (await isHeld(store.read, { id: orderId, createdAt: now })) continue
    return `it names a signature of order ${orderId}, and the database does not`
  }
  return null
}

/** Stores a signature that a restore has removed. */
async function bringBack(tx: Tx, { orderId, ...signature }: SignedNote, now: Date): Promise<void> {
  const kept = await signaturesOf(tx, orderId)
  await keepSignature(tx, orderId, kept.length, signature, now)
  const order = await findOrder(tx, orderId)
  if (order && !isEnded(order) && order.signedAt === null) await changeOrder(tx, order, { signedAt: now })
}

const firstOrder = prepared((db) => db.select({ id: orders.id }).from(orders).limit(1))
const wakeHeld = prepared((db) =>
  db
    .update(orders)
    .set({ dueAt: param('now'), attempts: 0 })
    .where(and(isNotNull(orders.dueAt), eq(orders.waitsFor, waitsForOperator))),
)
