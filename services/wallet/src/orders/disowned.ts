import type { Authorisation } from '@bursar/contracts/core-ledger'
import type { Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { type End, endOf, judgeOrder } from './fates'
import { addOrder, changeOrder, findOrder, isEnded, type OrderRow } from './orders'
import { otherPaidBy, provePayment } from './payment-proof'
import { isHeld } from './restore-hold'
import { signaturesOf } from './signatures'
import { blank } from './withdrawals'

// The ledger has dropped a withdrawal: a restore of its database has lost it, or the ledger ended it without this
// service's knowledge. It is no longer signed, and the order ends as soon as that is safe.

/** Why the ledger has dropped a withdrawal, and the transaction that paid it according to the ledger, if any. */
interface Disowned {
  why: string
  paidBy: string | null
}

/** Null while the ledger may still order it. */
export function disownedBy(answer: Authorisation | null): Disowned | null {
  if (!answer) return { why: 'the core ledger does not know this withdrawal', paidBy: null }
  if (!answer.ended) return null
  const { status, txHash } = answer.ended
  const paidBy = status === 'COMPLETED' ? txHash : null
  return { why: `the core ledger has it as ${status}${paidBy === null ? '' : ` by ${paidBy}`}`, paidBy }
}

/** How an order ended; else why it waits. */
export type Outcome = { ended: OrderRow } | { waits: string }

/**
 * Ends an order that the ledger has dropped: by the fate of its signatures; by the transaction that the ledger names,
 * if the chain knows it; or as failed, if it was certainly never signed or none of its signatures can be mined.
 * Otherwise it waits, and is listed for an operator. Rejects with CallError while the chain is unavailable.
 */
export async function settleDisowned(deps: WalletDeps, id: string, disowned: Disowned): Promise<Outcome> {
  const order = await findOrder(deps.store.read, id)
  if (!order) throw new Error(`Order ${id} is not here`)
  if (isEnded(order)) return { ended: order }
  const found = await findEnd(deps, order, disowned)
  return await deps.store.commit(async (tx) => {
    const current = await findOrder(tx, id)
    if (!current || isEnded(current)) return { ended: current ?? order }
    const now = deps.clock()
    // Signed since it was checked: the next attempt decides.
    const isSame = (await signaturesOf(tx, id)).length === found.signatures
    if ('end' in found && isSame && !(await isTaken(tx, current, found.end))) {
      return { ended: await changeOrder(tx, current, { ...found.end, updatedAt: now }) }
    }
    const waitsFor = `${'waits' in found ? found.waits : disowned.why}: look it up on the chain (bun run wallet:held)`
    // A held order is listed as held.
    const disownedAt = (await isHeld(tx, current)) ? current.disownedAt : (current.disownedAt ?? now)
    if (disownedAt !== current.disownedAt || current.waitsFor !== waitsFor) {
      await changeOrder(tx, current, { waitsFor, disownedAt, updatedAt: now })
    }
    return { waits: waitsFor }
  })
}

const isTaken = async (tx: Tx, order: OrderRow, { status, txHash }: End): Promise<boolean> =>
  status === 'confirmed' && txHash !== null && (await otherPaidBy(tx, order, txHash)) !== null

/** `signatures`: the number of those that were checked. */
async function findEnd(
  deps: WalletDeps,
  order: OrderRow,
  { why, paidBy }: Disowned,
): Promise<{ signatures: number } & ({ end: End } | { waits: string })> {
  const { verdict, signatures } = await judgeOrder(deps, order.id)
  const waits = (also: string) => ({ signatures, waits: `${sentence(why)}, and ${also}` })
  if (verdict.is === 'open') return waits(verdict.why)
  if (paidBy !== null && verdict.is !== 'paid') {
    const proof = await provePayment(deps, order, paidBy)
    if (proof.problem !== null) return waits(proof.problem)
    return { signatures, end: { status: 'confirmed', txHash: proof.txHash, reason: null } }
  }
  const end = endOf(verdict)
  if (end) return { signatures, end }
  // The signatures of an order that was accepted before, or is held, may be incomplete.
  const areAllKnown = order.signedAt === null ? order.lostAt === null : signatures > 0
  if (!areAllKnown || (await isHeld(deps.store.read, order))) return waits('it may have been signed before a restore')
  return { signatures, end: { status: 'failed', txHash: order.txHash, reason: sentence(why) } }
}

const sentence = (why: string): string => `${why.slice(0, 1).toUpperCase()}${why.slice(1)}`

/** Asks the ledger about an order without progress, and ends it if the ledger has dropped it. */
export async function askWhetherOrdered(deps: WalletDeps, id: string): Promise<void> {
  const order = await findOrder(deps.store.read, id)
  if (!order || isEnded(order) || order.kind !== 'withdrawal') return
  const disowned = disownedBy(await deps.authorise(id))
  if (disowned) return void (await settleDisowned(deps, id, disowned))
  if (order.disownedAt === null) return
  await deps.store.commit(async (tx) => {
    const current = await findOrder(tx, id)
    if (current && !isEnded(current)) await changeOrder(tx, current, { disownedAt: null, waitsFor: null })
  })
}

/**
 * Records the end of an id without an order that is requested for signing and that the ledger has dropped. Null if the
 * ledger may still order it, or it may have been signed before.
 */
export async function endUnordered(
  deps: WalletDeps,
  { id, network }: Pick<OrderRow, 'id' | 'network'>,
): Promise<string | null> {
  const now = deps.clock()
  const disowned = disownedBy(await deps.authorise(id))
  if (!disowned || disowned.paidBy !== null) return null
  const { read } = deps.store
  if ((await signaturesOf(read, id)).length > 0 || (await isHeld(read, { id, createdAt: now }))) return null
  const { why } = disowned
  await deps.store.commit(async (tx) => {
    if (await findOrder(tx, id)) return
    await addOrder(tx, { ...blank(id, now), network, status: 'failed', reason: sentence(why) })
  })
  return why
}
