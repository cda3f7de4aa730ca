import { batched, type Db } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain, Draft, DraftRequest } from '../networks/network'
import { readAttemptsOf } from './attempts'
import { lastFinalNonce, noncesOf, readAccepted, readOpen, type Sender, senderQueue, setNextNonces } from './queue'
import type { SenderMemory } from './sender-memory'
import { findSends, recordAttempts, recordFailed, retryLater } from './sends'
import type { SendRow } from './sends.table'
import { settleRestored } from './settle-restored'
import { type Signed, sign } from './sign'
import { noteUnknown } from './unknown-orders'

interface Item {
  row: SendRow
  draft: Draft
  signed: Signed
}

/** A send from before a restore that is blocked, and why. */
interface Stuck {
  row: SendRow
  problem: string
  /** The wallet service does not know its order. */
  isUnknown?: boolean
}

/**
 * Creates attempts for the waiting orders of a sender's queue: built, signed, stored, then broadcast, in the order of
 * their nonces. Gives the ids of those that were signed, of which nobody is told yet.
 */
export async function beginSends(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  memory: SenderMemory,
): Promise<string[]> {
  const { store, log, clock } = deps
  const { pollMs } = chain.settings
  const rows = await readAccepted(store.read, sender, { now: clock(), limit: memory.batchOf(sender) })
  if (rows.length === 0) return []
  const nonces = await noncesOf(store.read, sender)
  const inFlight = await liveInFlight(store.read, sender)
  const lastFinal = () => lastFinalNonce(store.read, sender)
  const request = { sender: sender.address, orders: rows, ...nonces, inFlight, lastFinal }
  const drafted = await chain.sending.draft(request).catch((error: unknown) => {
    memory.notDrafted(sender, rows.length)
    throw error
  })
  memory.drafted(sender)
  const items: { row: SendRow; draft: Draft }[] = []
  const stuck: Stuck[] = []
  const others: { row: SendRow; answer: Exclude<(typeof drafted)[number], { draft: Draft }> }[] = []
  const isPast = await mayBePaid(deps, rows, drafted)
  for (const [i, row] of rows.entries()) {
    const answer = drafted[i]
    if (!answer) continue
    if ('draft' in answer) items.push({ row, draft: answer.draft })
    else if ('refused' in answer && isPast(row)) stuck.push({ row, problem: answer.refused })
    else others.push({ row, answer })
  }
  if (others.length > 0) {
    await store.commit(async (tx) => {
      await senderQueue.assertHeld(tx, [sender])
      for (const { row, answer } of others) {
        if ('refused' in answer) await recordFailed(tx, row, answer.refused, null, clock())
        else await retryLater(tx, row, answer.waiting, { pollMs, now: clock() })
      }
    })
  }
  const signed: Item[] = await Promise.all(
    items.map(async ({ row, draft }) => ({ row, draft, signed: await sign(deps, chain, row, draft) })),
  )
  const stored = await storeAttempts(deps, chain, { ...sender, ...nonces }, signed)
  for (const { row, signed: outcome } of signed) {
    if ('attempt' in outcome && stored.includes(outcome.attempt)) deps.restored.released(row.id)
    if ('attempt' in outcome || !deps.restored.has(row.id)) continue
    if ('refused' in outcome) stuck.push({ row, problem: outcome.refused })
    else stuck.push({ row, problem: outcome.open, isUnknown: outcome.isUnknown === true })
  }
  for (const each of stuck) await settleRestored(deps, chain, sender, each)
  try {
    if (stored.length > 0) await chain.sending.broadcast(stored)
  } catch (error) {
    // They are stored: the next pass broadcasts them again.
    memory.forgetPush(sender)
    log.warn({ err: error, network: sender.network, sender: sender.address }, 'A broadcast failed; it will be retried')
  }
  return signed.flatMap(({ row, signed: outcome }) => ('attempt' in outcome ? [row.id] : []))
}

/**
 * Whether an order that cannot be drafted may have been paid: it is from before a restore, or the wallet service knows a
 * transaction of it that this database does not.
 */
async function mayBePaid(
  { restored, walletRecords }: BlockchainDeps,
  rows: readonly SendRow[],
  drafted: readonly (object | undefined)[],
): Promise<(row: SendRow) => boolean> {
  const refused = rows.filter((_, i) => drafted[i] && 'refused' in drafted[i])
  const records = await Promise.all(refused.map(({ id }) => (restored.has(id) ? null : walletRecords(id))))
  const signed = new Set(records.flatMap((record) => (record?.txHash ? record.id : [])))
  return ({ id }) => restored.has(id) || signed.has(id)
}

/** The orders of a sender that may be on the chain, with the newest attempt of each. */
async function liveInFlight(db: Db, sender: Sender): Promise<DraftRequest['inFlight']> {
  const rows = await readOpen(db, sender)
  const attempts = await readAttemptsOf(
    db,
    rows.map(({ id }) => id),
  )
  return rows.flatMap((order) => (attempts.get(order.id) ?? []).slice(0, 1).map((attempt) => ({ order, attempt })))
}

/**
 * Stores the signed attempts up to the first unsigned one: later ones have nonces that would wait for its nonce for
 * ever. They were not broadcast, and get new attempts. Those of them that will not be signed soon either are postponed
 * with the first: otherwise each would block the queue again.
 */
async function storeAttempts(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  items: readonly Item[],
): Promise<readonly Attempt[]> {
  const isOrdered = items.some(({ draft }) => draft.nonce !== null)
  const end = isOrdered ? items.findIndex(({ signed }) => !('attempt' in signed)) : -1
  const isSettled = ({ signed }: Item, i: number) =>
    end < 0 || i <= end || 'refused' in signed || ('open' in signed && signed.isHeldUp === true)
  return await storeTogether(deps.store, { deps, chain, sender, usable: items.filter(isSettled) })
}

interface Storing {
  deps: BlockchainDeps
  chain: Chain
  sender: Sender
  usable: readonly Item[]
}

/** Those of several senders at once. */
const storeTogether = batched(
  ({ sender }: Storing) => sender.id,
  async (tx, all) => {
    const stored: { row: SendRow; attempt: Attempt; dueAt: Date }[] = []
    // As they stand now: a body may be run again.
    const sends = await findSends(
      tx,
      all.flatMap(({ usable }) => usable.map(({ row }) => row.id)),
    )
    const attempts: Attempt[][] = []
    const nonces: { id: string; nextNonce: number }[] = []
    await senderQueue.assertHeld(
      tx,
      all.map(({ sender }) => sender),
    )
    for (const { deps, chain, sender, usable } of all) {
      const { restored } = deps
      const now = deps.clock()
      const { pollMs } = chain.settings
      const own: Attempt[] = []
      for (const { row, signed } of usable) {
        const current = sends.get(row.id)
        if (current?.status !== 'accepted') continue
        if ('attempt' in signed) {
          stored.push({ row: current, attempt: signed.attempt, dueAt: new Date(now.getTime() + pollMs) })
          own.push(signed.attempt)
          if (restored.has(current.id)) await restored.release(tx, current.id)
        } else if (restored.has(current.id)) continue
        else if ('refused' in signed) await recordFailed(tx, current, signed.refused, null, now)
        else if (signed.isUnknown) await noteUnknown(tx, current, signed.open, { pollMs, now })
        else await retryLater(tx, current, signed.open, { pollMs, now })
      }
      const last = own.findLast(({ nonce }) => nonce !== null)?.nonce
      // One that closes a gap is below those that were given before.
      if (last != null) nonces.push({ id: sender.id, nextNonce: Math.max(sender.nextNonce ?? 0, last + 1) })
      attempts.push(own)
    }
    await setNextNonces(tx, nonces)
    await recordAttempts(tx, stored)
    return attempts
  },
)
