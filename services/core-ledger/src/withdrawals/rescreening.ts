import { comparableAddress } from '@bursar/contracts/address'
import type { AnswerOf, BodyOf } from '@bursar/contracts/call'
import {
  type AddressListed,
  type ListActivated,
  type ScreeningSource,
  screenAddresses,
} from '@bursar/contracts/sanctions'
import { type Client, gathered, ifCallFails } from '@bursar/http'
import {
  type Db,
  desc,
  eq,
  gt,
  type OpenStore,
  param,
  prepared,
  remember,
  rowsOf,
  type Tx,
  updateAll,
  upsertInto,
} from '@bursar/store'
import { move } from '../movements/move'
import { phasesOf } from '../movements/phases'
import { type TransactionRecord, transactionById } from '../movements/read-transactions'
import { refrozenWithdrawals } from '../movements/refrozen-withdrawals.table'
import { work } from '../movements/work.table'
import { activatedLists, listedAddresses } from './rescreening.table'

/** An approved withdrawal that is about to be signed. */
export interface Payment {
  id: string
  network: string
  destinationAddress: string
  createdAt: Date
}

/** Why a payment is not signed. `listedAt`: its destination is on the list since then; null: that is not known now. */
export interface Refusal {
  reason: string
  listedAt: Date | null
}

/** Screens what was passed by an older list again, before it is signed. */
export interface Rescreening {
  /** The payments that may not be signed, by their ids; each address is asked about once for each list. */
  refusals(payments: readonly Payment[], now: Date): Promise<Map<string, Refusal>>
}

type Asked = BodyOf<typeof screenAddresses>['items'][number]
type Screened = NonNullable<AnswerOf<typeof screenAddresses>['items'][number]>

const calls = 4
const mostKept = 10_000

interface List {
  id: number
  activatedAt: Date
}

/** What is known of a payment: the refusal, or the list that has to be asked about it. */
interface Known {
  refusal: Refusal | null
  list: List | null
}
const nothing: Known = { refusal: null, list: null }

export function createRescreening(store: OpenStore, client: Client): Rescreening {
  const newest = remember(
    store,
    { tables: [activatedLists], most: 1 },
    async () => (await newestList(store.read).execute())[0],
  )
  const ask = async (items: Asked[]) => (await client.call(screenAddresses, { body: { items } })).items
  const screen = gathered<Asked, Screened | null>({
    one: async (item) => (await ask([item]))[0] ?? null,
    many: ask,
    calls,
  })
  /** By list, network and address. After a restore a later list may have the number of a lost one. */
  const screened = new Map<string, Screened>()

  async function byList(list: List, payment: Payment): Promise<Refusal | null> {
    const { network: blockchain, destinationAddress: address } = payment
    const key = `${list.id} ${list.activatedAt.getTime()} ${blockchain} ${comparableAddress(address)}`
    const found = screened.get(key) ?? (await ifCallFails(screen({ address, blockchain }), () => null))
    // A sanctions service that was restored may have an older list than the one it told of: what that passes is not enough.
    if (!found || (found.listId < list.id && !found.isListed)) {
      return { reason: 'A new sanctions list is in use, and the destination cannot be screened by it', listedAt: null }
    }
    if (screened.size >= mostKept) screened.clear()
    if (found.listId === list.id) screened.set(key, found)
    return found.isListed ? { reason: wording(found.source), listedAt: list.activatedAt } : null
  }

  async function knownOf(payment: Payment, listing: Listing | undefined, now: Date): Promise<Known> {
    const list = await newest('')
    const activatedAt = list?.activatedAt.getTime() ?? 0
    // What an older list has caught, the list in use may not have any more: it is asked.
    const listedAt = listing && listing.listedAt.getTime() >= activatedAt ? listing.listedAt.getTime() : 0
    const madeAt = payment.createdAt.getTime()
    // The verdict came later than the withdrawal: most are passed without being read once more.
    if (madeAt > Math.max(activatedAt, listedAt) && madeAt <= now.getTime()) return nothing
    const answered = await answeredUntil(store.read, payment.id)
    if (listing && listedAt > 0 && !isAnswered(listedAt, answered.listings, now)) {
      return { refusal: { reason: listing.reason, listedAt: listing.listedAt }, list: null }
    }
    return list && !isAnswered(activatedAt, answered.lists, now) ? { refusal: null, list } : nothing
  }

  return {
    async refusals(payments, now) {
      const addresses = [...new Set(payments.map((payment) => comparableAddress(payment.destinationAddress)))]
      if (addresses.length === 0) return new Map()
      const rows = await listedAmong(store.read, addresses)
      const listings = new Map(rows.map((row) => [row.address, row]))
      const listingOf = (payment: Payment) => listings.get(comparableAddress(payment.destinationAddress))
      const known = await Promise.all(payments.map((payment) => knownOf(payment, listingOf(payment), now)))
      // All at once, so that they share a call.
      const refused = await Promise.all(
        payments.map(async (payment, i) => {
          const { refusal, list } = known[i] as Known
          const found = list ? await byList(list, payment) : refusal
          return found ? [[payment.id, found] as const] : []
        }),
      )
      return new Map(refused.flat())
    },
  }
}

/**
 * Whether what was listed at a moment is answered for up to one of these. A moment that is still to come was set by a
 * wrong clock: it answers for itself alone.
 */
const isAnswered = (moment: number, until: readonly number[], now: Date): boolean =>
  until.some((each) => each === moment || (each <= now.getTime() && each > moment))

/**
 * Up to when the lists, and what they caught, are answered for: by the screening; or, for what was frozen again, the
 * list that froze it, and what was reported until a person approved it.
 */
async function answeredUntil(db: Db, id: string): Promise<{ lists: number[]; listings: number[] }> {
  const record = await transactionById(db, id)
  const [refrozen] = await refrozenById(db).execute({ id })
  if (!refrozen) return { lists: [screenedAt(record) - 1], listings: [screenedAt(record) - 1] }
  const { completedAt = null } = phasesOf(record).find(({ name }) => name === 'review') ?? {}
  const lists = refrozen.listedAt.getTime()
  return { lists: [lists], listings: [lists, ...(completedAt === null ? [] : [Date.parse(completedAt)])] }
}

/** When it was screened: by its result where that says so, for the ledger hears of it later. */
function screenedAt(record: TransactionRecord): number {
  const { completedAt = null } = phasesOf(record).find(({ name }) => name === 'screening') ?? {}
  const result = record.screeningData?.result as { checkedAt?: unknown } | null | undefined
  const times = [completedAt, result?.checkedAt].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.NaN,
  )
  return Math.min(...times.filter((time) => !Number.isNaN(time)), record.updatedAt.getTime())
}

/**
 * APPROVED → FROZEN: a person decides once more. One that is on its chain already stays as it is, and is not signed
 * again. True when it was frozen.
 */
export async function freezeAgain(tx: Tx, id: string, { reason, listedAt }: Refusal, now: Date): Promise<boolean> {
  const transaction = await transactionById(tx, id)
  const isSent = phasesOf(transaction).some(({ name }) => name === 'confirmation')
  if (transaction.status !== 'APPROVED' || listedAt === null || isSent) return false
  await move(tx, transaction, 'FROZEN', { at: now, detail: reason })
  // What a wrong clock has put ahead was known before: the review that follows answers for it.
  const before = new Date(now.getTime() - 1)
  await pullBackListed(tx).execute({ now, listedAt: before })
  await pullBack(tx).execute({ now, activatedAt: before })
  const answeredUntil = listedAt.getTime() > now.getTime() ? before : listedAt
  await putRefrozen(tx).execute({ transactionId: transaction.id, reason, listedAt: answeredUntil })
  return true
}

/** Whether a withdrawal was approved, and so perhaps ordered, before it was frozen. */
export const wasFrozenAgain = async (db: Db, id: string): Promise<boolean> =>
  (await refrozenById(db).execute({ id: id.toLowerCase() })).length > 0

/**
 * Notes of a withdrawal that was just approved whether it was frozen again: the wallet service had accepted it, since it
 * asked for its signature. It is asked for its record, and does not take it for a new one if a restore has lost that.
 */
export async function noteAcceptedBefore(tx: Tx, id: string, at: Date): Promise<void> {
  if (await wasFrozenAgain(tx, id)) await putAccepted(tx, [{ transactionId: id, orderedAt: at, acceptedAt: at }])
}

/** Notes that a list is in use. What a wrong clock has put behind now was in use before. */
export async function noteActivated(
  tx: Tx,
  { listId: id, name, at }: typeof ListActivated.payload.static,
  now: Date,
): Promise<void> {
  await pullBack(tx).execute({ now, activatedAt: new Date(Date.parse(at) - 1) })
  await putList(tx).execute({ id, name, activatedAt: new Date(at) })
}

/** Notes that an address is on the list. */
export async function noteListed(tx: Tx, { address, source, at }: typeof AddressListed.payload.static): Promise<void> {
  await putListed(tx).execute({ address: comparableAddress(address), reason: wording(source), listedAt: new Date(at) })
}

const wording = (source: ScreeningSource | null): string =>
  `The destination is sanctioned by now: ${source?.provider ?? 'the list in use'}`

type Listing = typeof listedAddresses.$inferSelect

const newestList = prepared((db) => db.select().from(activatedLists).orderBy(desc(activatedLists.activatedAt)).limit(1))
const listedAmong = rowsOf(listedAddresses, 'address')
const refrozenById = prepared((db) =>
  db
    .select({ listedAt: refrozenWithdrawals.listedAt })
    .from(refrozenWithdrawals)
    .where(eq(refrozenWithdrawals.transactionId, param('id'))),
)
const putRefrozen = upsertInto(refrozenWithdrawals, ['transactionId'], ['reason', 'listedAt'])
const putAccepted = updateAll(work, 'transactionId', ['orderedAt', 'acceptedAt'])
const putList = upsertInto(activatedLists, ['id'], ['name', 'activatedAt'])
const pullBack = prepared((db) =>
  db
    .update(activatedLists)
    .set({ activatedAt: param('activatedAt') })
    .where(gt(activatedLists.activatedAt, param('now'))),
)
const pullBackListed = prepared((db) =>
  db
    .update(listedAddresses)
    .set({ listedAt: param('listedAt') })
    .where(gt(listedAddresses.listedAt, param('now'))),
)
const putListed = upsertInto(listedAddresses, ['address'], ['reason', 'listedAt'])
