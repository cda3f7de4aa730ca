import { batched, type Tx } from '@bursar/store'
import type { BlockchainDeps } from '../deps'
import { noteFee } from '../movements/untold-fees'
import type { Attempt, Chain, Loss, Outcome } from '../networks/network'
import { ownGas } from '../networks/own-gas'
import { readAttemptsOf } from './attempts'
import { readOpen, type Sender, senderQueue } from './queue'
import type { SenderMemory } from './sender-memory'
import {
  findSend,
  findSends,
  postpone,
  postponeAll,
  recordAttempt,
  recordEnds,
  recordLost,
  type SendEnd,
  tellUntold,
} from './sends'
import type { SendRow } from './sends.table'
import { type Signed, sign } from './sign'

interface Look {
  row: SendRow
  /** Newest first, each with its outcome. */
  attempts: { attempt: Attempt; outcome: Outcome }[]
}

/** Checks a sender's orders that may be on the chain, and records final outcomes. Gives the ids of those that have ended. */
export async function settleSends(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  memory: SenderMemory,
): Promise<ReadonlySet<string>> {
  const rows = await readOpen(deps.store.read, sender)
  if (rows.length === 0) return new Set()
  const looks = await look(deps, chain, rows)
  const absent = looks.filter(isAbsent)
  const losses = await findLosses(chain, sender, absent)
  const ended = await recordLooks(deps.store, { deps, chain, sender, looks, losses })
  const waiting = absent.filter(({ row }) => !losses.has(row.id))
  await pushOn(deps, chain, sender, { waiting, memory })
  return ended
}

const isAbsent = ({ attempts }: Pick<Look, 'attempts'>): boolean =>
  attempts.every(({ outcome }) => outcome.is === 'absent')

interface Looked {
  deps: BlockchainDeps
  chain: Chain
  sender: Sender
  looks: readonly Look[]
  losses: ReadonlyMap<string, Loss>
}

/** Records what was seen of the orders of several senders at once; gives the ids of those of each that have ended. */
const recordLooks = batched(
  ({ sender }: Looked) => sender.id,
  async (tx, all) => {
    const current = await findSends(
      tx,
      all.flatMap(({ looks }) => looks.map(({ row }) => row.id)),
    )
    const ends: (SendEnd & { now: Date })[] = []
    const pending: { row: SendRow; dueAt: Date; isOpen: boolean }[] = []
    await senderQueue.assertHeld(
      tx,
      all.map(({ sender }) => sender),
    )
    for (const { deps, chain, looks, losses } of all) {
      const now = deps.clock()
      const dueAt = new Date(now.getTime() + chain.settings.pollMs)
      for (const { row: before, attempts } of looks) {
        const row = current.get(before.id)
        if (row?.status !== 'broadcast') continue
        const end = await endOf(tx, chain, { row, attempts }, now)
        const loss = losses.get(row.id) ?? 'none'
        if (end) ends.push({ ...end, now })
        // Nodes that refuse it, or give no answer, will refuse it again: its broadcast decides.
        else if (loss === 'none') pending.push({ row, dueAt, isOpen: isAbsent({ attempts }) })
        else if (loss === 'lost') await recordLost(tx, row, now)
        // The next check reads its outcome.
        else await recordAttempt(tx, row, { ...loss.replacement, createdAt: now }, dueAt)
      }
    }
    await recordEnds(tx, ends)
    await postponeAll(tx, pending)
    // Of a pass that broke off before its end.
    await tellUntold(
      tx,
      pending.map(({ row }) => row),
    )
    const ended = new Set(ends.map(({ row }) => row.id))
    return all.map(({ looks }) => new Set(looks.flatMap(({ row: { id } }) => (ended.has(id) ? [id] : []))))
  },
)

async function look({ store }: BlockchainDeps, chain: Chain, rows: readonly SendRow[]): Promise<Look[]> {
  const byId = await readAttemptsOf(
    store.read,
    rows.map(({ id }) => id),
  )
  const attempts = rows.map(({ id }) => byId.get(id) ?? [])
  const outcomes = await chain.sending.outcomes(attempts.flat())
  let place = 0
  return rows.map((row, i) => ({
    row,
    attempts: (attempts[i] ?? []).map((attempt) => ({ attempt, outcome: outcomes[place++] ?? { is: 'absent' } })),
  }))
}

/** How a send ended on the chain, with its fee noted; null if it has not. */
async function endOf(tx: Tx, chain: Chain, { row, attempts }: Look, now: Date): Promise<SendEnd | null> {
  for (const { attempt, outcome } of attempts) {
    if (outcome.is !== 'confirmed' && outcome.is !== 'reverted') continue
    const { txHash } = attempt
    if (outcome.fee) await noteFee(tx, chain, { txHash, orderId: row.id, fee: outcome.fee }, now)
    return { row, txHash, reason: outcome.is === 'reverted' ? outcome.reason : null }
  }
  return null
}

/** The orders whose attempts can never be in a block: another transaction has their nonce, or they have expired. */
async function findLosses(chain: Chain, { address }: Sender, absent: readonly Look[]): Promise<Map<string, Loss>> {
  const losses = new Map<string, Loss>()
  for (const { row, attempts } of absent) {
    const all = attempts.map(({ attempt }) => attempt)
    const loss = await chain.sending.lossOf(address, all)
    if (loss !== 'none') losses.set(row.id, loss)
    // With nonces, all after the first that can still be included can be, too.
    else if (row.nonce !== null) break
  }
  return losses
}

/** The number of checks after which a pending transaction is broadcast again, since the node may have lost it. */
const looksPerPush = 5

/** Broadcasts pending transactions again, and raises the fee of the first when it has waited too long. */
async function pushOn(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  { waiting, memory }: { waiting: readonly Look[]; memory: SenderMemory },
): Promise<void> {
  // For one from before a restore only the hash may be known.
  const known = waiting.filter(({ attempts }) => attempts[0]?.attempt.signed !== '')
  const newest = known.flatMap(({ attempts }) => attempts.slice(0, 1).map(({ attempt }) => attempt))
  const [first] = known
  const [attempt] = newest
  if (!first || !attempt) return await noteFine(deps, sender, waiting)
  // A creation time in the future was set by a wrong clock.
  const waitedMs = Math.abs(deps.clock().getTime() - attempt.createdAt.getTime())
  const isStuck = waitedMs >= chain.settings.stuckAfterMs
  const replaced = isStuck ? await replace(deps, chain, sender, first.row, attempt) : null
  const replacement = replaced === 'waits' ? null : replaced
  if (!replacement && !memory.isPushDue(sender, chain.settings.pollMs * looksPerPush)) return
  await chain.sending.broadcast(replacement ? [replacement, ...newest.slice(1)] : newest)
  memory.pushed(sender)
  await noteFine(deps, sender, replaced === 'waits' ? waiting.filter((each) => each !== first) : waiting)
}

/** Nothing is wrong any more with sends that were broadcast. */
async function noteFine({ store }: BlockchainDeps, sender: Sender, all: readonly Look[]): Promise<void> {
  const ids = all.flatMap(({ row: { id, lastError } }) => (lastError === null ? [] : [id]))
  if (ids.length === 0) return
  await store.commit(async (tx) => {
    await senderQueue.assertHeld(tx, [sender])
    const open = [...(await findSends(tx, ids)).values()].filter(({ status }) => status === 'broadcast')
    await postponeAll(
      tx,
      open.map((row) => ({ row, dueAt: row.dueAt ?? row.updatedAt })),
    )
  })
}

/** `waits`: the send says why its fee was not raised, which would not help where something before it is missing. */
async function replace(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  row: SendRow,
  attempt: Attempt,
): Promise<Attempt | 'waits' | null> {
  const gap = (await chain.sending.gapBefore?.(sender.address, attempt)) ?? null
  const signed = gap === null ? await signDearer(deps, chain, row, attempt) : { gap }
  if (signed === null) return null
  return await deps.store.commit(async (tx) => {
    await senderQueue.assertHeld(tx, [sender])
    const current = await findSend(tx, row.id)
    if (current?.status !== 'broadcast' || current.txHash !== attempt.txHash) return null
    const dueAt = new Date(deps.clock().getTime() + chain.settings.pollMs)
    if (!('attempt' in signed)) {
      await postpone(tx, current, dueAt, 'gap' in signed ? signed.gap : notRaised(signed))
      return 'waits'
    }
    await recordAttempt(tx, current, signed.attempt, dueAt)
    return signed.attempt
  })
}

/** Null where it would be the same. */
async function signDearer(deps: BlockchainDeps, chain: Chain, row: SendRow, attempt: Attempt): Promise<Signed | null> {
  const keepsGas = row.transactionData !== null && ownGas(row.transactionData) !== null
  const draft = await chain.sending.dearer(attempt, keepsGas)
  // The same transaction has the same hash and is already stored.
  if (!draft || draft.unsigned === attempt.unsigned) return null
  const signed = await sign(deps, chain, row, draft)
  if (!('attempt' in signed)) deps.log.warn({ send: row.id, reason: problemOf(signed) }, 'A fee was not raised')
  return signed
}

type Unsigned = Exclude<Signed, { attempt: Attempt }>
const problemOf = (signed: Unsigned): string => ('refused' in signed ? signed.refused : signed.open)
const notRaised = (signed: Unsigned): string =>
  `It waits for its block, and its fee was not raised: ${problemOf(signed)}`
