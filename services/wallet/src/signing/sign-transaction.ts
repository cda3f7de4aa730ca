import { comparableAddress } from '@bursar/contracts/address'
import type { Static } from '@bursar/contracts/schema'
import { behindAnother, type SignedTransaction, type TransactionToSign } from '@bursar/contracts/signing'
import { AppError, answerEach, isCallError } from '@bursar/http'
import { batched } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { fail } from '../errors'
import { endUnordered } from '../orders/disowned'
import { type End, endOf, judge } from '../orders/fates'
import {
  changeOrder,
  changeOrders,
  findOrder,
  findOrders,
  getOrder,
  isEnded,
  type OrderChange,
  type OrderRow,
} from '../orders/orders'
import { findHold, forgotten, isHeldBy, isReleased, waitsForOperator } from '../orders/restore-hold'
import {
  isEitherOr,
  keepSignatures,
  type Signature,
  type SignatureRow,
  signaturesOf,
  signaturesOfAll,
} from '../orders/signatures'
import { requireAuthorised, waits } from './authorise'
import { evmNonce } from './evm-transaction'
import { senderKey } from './nonce-gaps'
import { type Draft, type PlaceAt, placesOf, readDraft, refused } from './read-draft'
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
  const batch: Batch = {
    hold: findHold(deps.store.read),
    orders: findOrders(
      deps.store.read,
      items.map(({ orderId }) => orderId),
    ),
    placeAt: placesOf(deps),
  }
  return items.map((item) => async (): Promise<SignedTransaction> => {
    const key = senderKey({ network: item.network, sender: item.signers.at(-1) ?? '' })
    const before = senders.get(key)
    const withGap = async (error: unknown) => {
      await openGap(deps, item)
      throw error
    }
    const ready = check(deps, item, batch).catch(withGap)
    senders.set(key, Promise.allSettled([before, ready]))
    const found = await ready
    await before
    return await give(deps, found).catch(withGap)
  })
}

/** What the items of one call share. */
interface Batch {
  hold: ReturnType<typeof findHold>
  orders: ReturnType<typeof findOrders>
  placeAt: PlaceAt
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
  { hold, orders, placeAt }: Batch,
): Promise<Ready> {
  const order = (await orders).get(item.orderId) ?? (await unknownOrder(deps, item))
  // Checked first: a caller that missed its end would request it for ever.
  if (isEnded(order)) throw refused(`its order has ended: ${order.status}`)
  if (await isHeldBy(await hold, deps.store.read, order)) throw fail('CONFLICT', { message: waitsForOperator })
  if (order.lostAt !== null && order.signedAt === null) throw fail('CONFLICT', { message: order.waitsFor ?? forgotten })
  const problem = orderProblem(order, item.network, item.signers)
  if (problem !== null) throw refused(problem)
  const draft = await readDraft(deps, order, item.unsigned, placeAt)
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
  if (verdict.is === 'open') throw waits(`it was signed before, and ${verdict.why}`)
  const end = endOf(verdict)
  if (end) throw await endBy(deps, order.id, end)
  return earlier
}

const signedWithoutRecord =
  'it was signed before its signatures were kept, and may have been paid (bun run wallet:held)'

/** Ends an order; returns why nothing is signed. */
async function endBy({ store, clock }: WalletDeps, id: string, end: End): Promise<AppError> {
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
  const isKept = await keep(deps.store, { orderId: order.id, signature, earlier, now: deps.clock() })
  if (!isKept) throw waits('it was signed at the same time')
  await deps.restoreGuard.noteSigned({ orderId: order.id, ...signature })
  return draft.signed()
}

interface Given {
  orderId: string
  signature: Signature
  /** The signatures that were checked. */
  earlier: readonly SignatureRow[]
  now: Date
}

/** Stores a signature with its order. Gives false when another one was stored since the check. */
const keep = batched(
  ({ orderId }: Given) => orderId,
  async (tx, given) => {
    const ids = given.map(({ orderId }) => orderId)
    const orders = await findOrders(tx, ids)
    const signed = await signaturesOfAll(tx, ids)
    const kept: SignatureRow[] = []
    const changes: OrderChange[] = []
    const outcomes = given.map(({ orderId, signature, earlier, now }) => {
      const current = orders.get(orderId)
      if (!current || isEnded(current)) throw refused('its order has ended')
      const stored = signed.get(orderId) ?? []
      const known = current.signedAt === null ? [] : stored
      const isAgain = known.some(({ txHash }) => txHash === signature.txHash)
      if (!isAgain && known.length !== earlier.length) return false
      // One that was brought back after a restore without its order may have the number.
      const isNew = isAgain || stored.every(({ number }) => number !== known.length)
      if (isNew && !isAgain) kept.push({ orderId, number: known.length, signedAt: now, ...signature })
      const signedAt = current.signedAt ?? now
      // A signature brought back after a restore without its order counts from now on.
      if (!isNew && current.signedAt === null) changes.push({ before: current, change: { signedAt, updatedAt: now } })
      else if (isNew && (current.signedAt === null || current.waitsFor !== null)) {
        changes.push({ before: current, change: { signedAt, waitsFor: null, disownedAt: null, updatedAt: now } })
      }
      return isNew
    })
    await keepSignatures(tx, kept)
    await changeOrders(tx, changes)
    return outcomes
  },
)
