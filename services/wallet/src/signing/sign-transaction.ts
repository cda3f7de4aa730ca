import { comparableAddress } from '@bursar/contracts/address'
import type { Static } from '@bursar/contracts/schema'
import { behindAnother, type SignedTransaction, type TransactionToSign } from '@bursar/contracts/signing'
import { AppError, answerEach, isCallError } from '@bursar/http'
import type { Tx } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { endUnordered } from '../orders/disowned'
import { judge, type Verdict } from '../orders/fates'
import { changeOrder, findOrder, getOrder, isEnded, type OrderRow } from '../orders/orders'
import { findHold, forgotten, isHeldBy, isReleased, waitsForOperator } from '../orders/restore-hold'
import { isEitherOr, keepSignature, type Signature, type SignatureRow, signaturesOf } from '../orders/signatures'
import { requireAuthorised, waits } from './authorise'
import { evmNonce } from './evm-transaction'
import { senderKey } from './nonce-gaps'
import { type Draft, readDraft, refused } from './read-draft'
import { simulatedNonce } from './simulated-transaction'

/** A transaction that may be signed, and the order's signatures that were checked. */
interface Ready {
  order: OrderRow
  draft: Draft
  earlier: readonly SignatureRow[]
}

/**
 * Signs a transaction that matches its order (recipient, amount, token, a fee within bounds), and that the ledger
 * authorises at this moment. The signature is recorded before it leaves, in the database and beside it: an order
 * without that mark cannot have been paid. 404 for an order that is not known, 422 for what is never signed, 409 for
 * what waits: for an operator, for the ledger, or for an earlier signature that may still be mined. Rejects with
 * CallError while the ledger or the blockchain service cannot be asked.
 */
export async function signTransaction(
  deps: WalletDeps,
  item: Static<typeof TransactionToSign>,
): Promise<SignedTransaction> {
  const [answer] = signing(deps, [item])
  return (await answer?.()) as SignedTransaction
}

/** The same for many; null for one that is not signed. */
export function signTransactions(
  deps: WalletDeps,
  items: readonly Static<typeof TransactionToSign>[],
): Promise<{ items: (SignedTransaction | null)[] }> {
  const answers = signing(deps, items)
  return answerEach(
    items.map((item, i) => ({ item, answer: answers[i] })),
    ({ item }) => item.orderId,
    async ({ answer }) => (await answer?.()) as SignedTransaction,
  )
}

/** Signs items. Those of one sender are signed in order, and none after one that is not signed. */
function signing(deps: WalletDeps, items: readonly Static<typeof TransactionToSign>[]) {
  const senders = new Map<string, Promise<unknown>>()
  const hold = findHold(deps.store.read)
  return items.map((item) => async (): Promise<SignedTransaction> => {
    const key = senderKey({ network: item.network, sender: item.signers.at(-1) ?? '' })
    const before = senders.get(key)
    const withGap = async (error: unknown) => {
      await openGap(deps, item)
      throw error
    }
    const ready = check(deps, item, hold).catch(withGap)
    senders.set(key, Promise.allSettled([before, ready]))
    const found = await ready
    await before
    return await give(deps, found).catch(withGap)
  })
}

/** Records the nonce gap of an unsigned item, unless it was signed with that nonce before. */
async function openGap(
  { nonceGaps, store }: WalletDeps,
  { orderId, network, signers, unsigned }: Static<typeof TransactionToSign>,
): Promise<void> {
  const nonce = simulatedNonce(unsigned) ?? (await evmNonce(unsigned))
  const before = await signaturesOf(store.read, orderId)
  if (before.some((each) => each.nonce === nonce)) return
  nonceGaps.open({ network, sender: signers.at(-1) ?? '', nonce })
}

async function check(
  deps: WalletDeps,
  item: Static<typeof TransactionToSign>,
  hold: ReturnType<typeof findHold>,
): Promise<Ready> {
  const order = (await findOrder(deps.store.read, item.orderId)) ?? (await unknownOrder(deps, item))
  // Checked first: a caller that missed its end would request it for ever.
  if (isEnded(order)) throw refused(`its order has ended: ${order.status}`)
  if (await isHeldBy(await hold, deps.store.read, order)) throw fail('CONFLICT', { message: waitsForOperator })
  if (order.lostAt !== null && order.signedAt === null) throw fail('CONFLICT', { message: order.waitsFor ?? forgotten })
  const problem = orderProblem(order, item.network, item.signers)
  if (problem !== null) throw refused(problem)
  const draft = await readDraft(deps, order, item.unsigned)
  try {
    const earlier = await earlierSignatures(deps, order, draft)
    await requireAuthorised(deps, order, draft.takes)
    return { order, draft, earlier }
  } catch (error) {
    const why = isCallError(error) || (error instanceof AppError && error.code === 'CONFLICT')
    if (why) await noteWait(deps, order, error.message)
    throw error
  }
}

/** An order that the ledger has dropped is refused permanently; any other is not known yet, or was lost. */
async function unknownOrder(deps: WalletDeps, item: Static<typeof TransactionToSign>): Promise<OrderRow> {
  const why = await endUnordered(deps, { id: item.orderId, network: item.network })
  if (why !== null) throw refused(`no order of it is known, and ${why}`)
  return await getOrder(deps.store.read, item.orderId)
}

function orderProblem(order: OrderRow, network: string, signers: readonly string[]): string | null {
  if (order.payer === null) return 'its order has no paying address yet'
  if (order.network !== network) return `its order is for ${order.network}, not ${network}`
  const payers = order.feePayer === null ? [order.payer] : [order.feePayer, order.payer]
  const isSame =
    signers.length === payers.length &&
    signers.every((each, i) => comparableAddress(each) === comparableAddress(payers[i] ?? ''))
  return isSame ? null : `its order is signed by ${payers.join(' and ')}`
}

/**
 * The order's signatures. Fails unless each of them that could be mined besides this one is proven dead;
 * if one of them is final the order ends by it.
 */
async function earlierSignatures(deps: WalletDeps, order: OrderRow, draft: Draft): Promise<readonly SignatureRow[]> {
  if (order.signedAt === null) return []
  const earlier = await signaturesOf(deps.store.read, order.id)
  if (earlier.length === 0 && !(await isReleased(deps.store.read, order.id))) throw waits(signedWithoutRecord)
  const others = earlier.filter((each) => !isEitherOr(order, each, draft.signature()))
  if (others.length === 0) return earlier
  const verdict = await judge(deps.fates, others)
  if (verdict.is === 'unpaid') return earlier
  if (verdict.is === 'open') throw waits(`it was signed before, and ${verdict.why}`)
  throw await endBy(deps, order.id, verdict)
}

export const signedWithoutRecord =
  'it was signed before its signatures were kept, and may have been paid (bun run wallet:held)'

/** Ends an order by the fate of its signature; returns why nothing is signed. */
async function endBy(
  { store, clock }: WalletDeps,
  id: string,
  verdict: Extract<Verdict, { txHash: string }>,
): Promise<AppError> {
  const end =
    verdict.is === 'paid'
      ? ({ status: 'confirmed', txHash: verdict.txHash, reason: null } as const)
      : ({ status: 'failed', txHash: verdict.txHash, reason: verdict.reason } as const)
  await store.commit(async (tx) => {
    const current = await findOrder(tx, id)
    if (current && !isEnded(current)) await changeOrder(tx, current, { ...end, updatedAt: clock() })
  })
  return refused(`its order has ended: ${end.status} by ${end.txHash}`)
}

/** Stores why the order waits. */
async function noteWait({ store, clock }: WalletDeps, order: OrderRow, waitsFor: string): Promise<void> {
  if (order.waitsFor === waitsFor) return
  await store.commit(async (tx) => {
    const current = await findOrder(tx, order.id)
    if (!current || isEnded(current)) return
    const lostAt = waitsFor.includes(signedWithoutRecord) ? (current.lostAt ?? clock()) : current.lostAt
    // The reason of a dropped order is more specific.
    await changeOrder(tx, current, { waitsFor: current.disownedAt === null ? waitsFor : current.waitsFor, lostAt })
  })
}

/** Signs, records the signature, and only then returns it. */
async function give(deps: WalletDeps, { order, draft, earlier }: Ready): Promise<SignedTransaction> {
  const signature = draft.signature()
  if (deps.nonceGaps.isBehind(signature)) throw waits(behindAnother)
  // Before it is stored: later nonces are signed in the same commit.
  deps.nonceGaps.close(signature)
  const isKept = await deps.store.commit((tx) => keep(tx, order.id, signature, { earlier, now: deps.clock() }))
  if (!isKept) throw waits('it was signed at the same time')
  await deps.restoreGuard.noteSigned({ orderId: order.id, ...signature })
  return draft.signed()
}

/** Stores the signature with its order. Returns false when another one was stored since the check. */
async function keep(
  tx: Tx,
  orderId: string,
  signature: Signature,
  { earlier, now }: { earlier: readonly SignatureRow[]; now: Date },
): Promise<boolean> {
  const current = await findOrder(tx, orderId)
  if (!current || isEnded(current)) throw refused('its order has ended')
  const known = current.signedAt === null ? [] : await signaturesOf(tx, orderId)
  const isAgain = known.some(({ txHash }) => txHash === signature.txHash)
  if (!isAgain && known.length !== earlier.length) return false
  const isNew = isAgain || (await keepSignature(tx, orderId, known.length, signature, now))
  const signedAt = current.signedAt ?? now
  // A signature brought back after a restore without its order counts from now on.
  if (!isNew && current.signedAt === null) await changeOrder(tx, current, { signedAt, updatedAt: now })
  else if (isNew && (current.signedAt === null || current.waitsFor !== null)) {
    await changeOrder(tx, current, { signedAt, waitsFor: null, disownedAt: null, updatedAt: now })
  }
  return isNew
}
