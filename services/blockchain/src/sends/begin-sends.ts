import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain, Draft } from '../networks/network'
import { settleRestored } from '../restore/settle-restored'
import type { BatchSizes } from './batch-sizes'
import { liveInFlight } from './in-flight'
import type { Pushes } from './pushes'
import { assertHeld, type Lease, noncesOf, readAccepted, setNextNonce } from './queue'
import { retryAt } from './retry'
import { findSend, postpone, recordAttempt, recordFailed } from './sends'
import type { SendRow } from './sends.table'
import { type Signed, sign } from './sign'
import { noteUnknown } from './unknown-orders'

/** How many orders get their attempts together at most: their signatures are asked for side by side. */
export const mostTogether = 100

interface Item {
  row: SendRow
  draft: Draft
  signed: Signed
}

/** A send from before a restore that cannot go on, and why. */
interface Stuck {
  row: SendRow
  problem: string
  /** The wallet service does not know its order (any more). */
  isUnknown?: boolean
}

/**
 * Gives the orders that wait in a sender's queue their attempts: built, signed, stored, then broadcast, in the order of
 * their nonces. Returns true when more wait.
 */
export async function beginSends(
  deps: BlockchainDeps,
  chain: Chain,
  lease: Lease,
  { pushes, sizes }: { pushes: Pushes; sizes: BatchSizes },
): Promise<boolean> {
  const { store, log, clock } = deps
  const { pollMs } = chain.settings
  const limit = sizes.of(lease)
  const rows = await readAccepted(store.read, lease, { pollMs, now: clock(), limit })
  if (rows.length === 0) return false
  const inFlight = await liveInFlight(store.read, lease)
  const { sender } = lease
  const nonces = await noncesOf(store.read, lease)
  const drafted = await chain.sending.draft({ sender, orders: rows, ...nonces, inFlight }).catch((error: unknown) => {
    sizes.failed(lease, rows.length)
    throw error
  })
  sizes.succeeded(lease)
  const items: { row: SendRow; draft: Draft }[] = []
  const stuck: Stuck[] = []
  await store.commit(async (tx) => {
    items.length = 0
    stuck.length = 0
    for (const [i, row] of rows.entries()) {
      const answer = drafted[i]
      if (!answer) continue
      if ('draft' in answer) items.push({ row, draft: answer.draft })
      else if ('refused' in answer && deps.restored.has(row.id)) stuck.push({ row, problem: answer.refused })
      else if ('refused' in answer) await recordFailed(tx, row, answer.refused, null, clock())
      else await postpone(tx, row, retryAt(row, pollMs, clock()), answer.waiting)
    }
  })
  const signed: Item[] = await Promise.all(
    items.map(async ({ row, draft }) => ({ row, draft, signed: await sign(deps, chain, row, draft) })),
  )
  const stored = await storeAttempts(deps, chain, lease, signed)
  for (const { row, signed: outcome } of signed) {
    if ('attempt' in outcome || !deps.restored.has(row.id)) continue
    if ('refused' in outcome) stuck.push({ row, problem: outcome.refused })
    else stuck.push({ row, problem: outcome.open, isUnknown: outcome.isUnknown === true })
  }
  for (const each of stuck) await settleRestored(deps, chain, lease, each)
  try {
    if (stored.length > 0) await chain.sending.broadcast(stored)
  } catch (error) {
    // They are stored: the next look hands them over again.
    pushes.forget(lease.network, sender)
    log.warn({ err: error, network: lease.network, sender }, 'A broadcast failed; it is repeated')
  }
  return stored.length > 0 && rows.length === limit
}

/**
 * Stores what was signed, up to the first that was not: those behind it have nonces that would wait for its own for
 * ever. They were not broadcast, and get new attempts. Those among them that will not be signed soon either are put off
 * with the first: each of them would hold the queue up anew.
 */
async function storeAttempts(
  { store, restored, clock }: BlockchainDeps,
  chain: Chain,
  lease: Lease,
  items: readonly Item[],
): Promise<Attempt[]> {
  const isOrdered = items.some(({ draft }) => draft.nonce !== null)
  const end = isOrdered ? items.findIndex(({ signed }) => !('attempt' in signed)) : -1
  const isSettled = ({ signed }: Item, i: number) =>
    end < 0 || i <= end || 'refused' in signed || ('open' in signed && signed.isHeldUp === true)
  const usable = items.filter(isSettled)
  return await store.commit(async (tx) => {
    await assertHeld(tx, lease)
    const stored: Attempt[] = []
    const now = clock()
    for (const { row, signed } of usable) {
      // As it stands now: a body may be run again.
      const current = await findSend(tx, row.id)
      if (current?.status !== 'accepted') continue
      if ('attempt' in signed) {
        await recordAttempt(tx, current, signed.attempt, new Date(now.getTime() + chain.settings.pollMs))
        if (restored.has(current.id)) await restored.release(tx, current.id)
        stored.push(signed.attempt)
      } else if (restored.has(current.id)) continue
      else if ('refused' in signed) await recordFailed(tx, current, signed.refused, null, now)
      else if (signed.isUnknown) await noteUnknown(tx, current, signed.open, { pollMs: chain.settings.pollMs, now })
      else await postpone(tx, current, retryAt(current, chain.settings.pollMs, now), signed.open)
    }
    const last = stored.findLast(({ nonce }) => nonce !== null)?.nonce
    if (last != null) await setNextNonce(tx, lease, last + 1)
    return stored
  })
}
