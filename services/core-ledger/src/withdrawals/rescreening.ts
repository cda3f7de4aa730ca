import { comparableAddress } from '@bursar/contracts/address'
import type { AnswerOf, BodyOf } from '@bursar/contracts/call'
import {
  type AddressListed,
  type ListActivated,
  type ListState,
  type ScreeningSource,
  screenAddresses,
} from '@bursar/contracts/sanctions'
import { type Client, gathered, ifCallFails } from '@bursar/http'
import {
  type Db,
  desc,
  gt,
  metaValue,
  type OpenStore,
  param,
  prepared,
  putMetaValue,
  remember,
  rowBy,
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

/** Why a payment is not signed. `listedAt`: when its destination was listed; null while that is unknown. */
export interface Refusal {
  reason: string
  listedAt: Date | null
}

type Asked = BodyOf<typeof screenAddresses>['items'][number]
type Screened = NonNullable<AnswerOf<typeof screenAddresses>['items'][number]>

const calls = 4
const mostKept = 10_000

interface List {
  id: number
  activatedAt: Date
}

/** What is known about a payment: the refusal, or the list that it must be screened with. */
interface Known {
  refusal: Refusal | null
  list: List | null
}
const nothing: Known = { refusal: null, list: null }

export type Rescreening = ReturnType<typeof createRescreening>

/** Screens payments that an older list passed once more, before they are signed. */
export function createRescreening(store: OpenStore, client: Client) {
  const inUse = remember(store, { tables: [activatedLists], most: 1 }, async () => {
    const [list] = await newestList(store.read).execute()
    return { list, passedByOlderUntil: Date.parse((await metaValue(store.read, olderName)) ?? '1970-01-01') }
  })
  const ask = async (items: Asked[]) => (await client.call(screenAddresses, { body: { items } })).items
  const screen = gathered<Asked, Screened | null>({
    one: async (item) => (await ask([item]))[0] ?? null,
    many: ask,
    calls,
  })
  /** Verdicts by list, network and address. After a restore a later list may have the number of a lost one. */
  const screened = new Map<string, Screened>()

  async function byList(list: List, payment: Payment): Promise<Refusal | null> {
    const { network: blockchain, destinationAddress: address } = payment
    const key = `${list.id} ${list.activatedAt.getTime()} ${blockchain} ${comparableAddress(address)}`
    const found = screened.get(key) ?? (await ifCallFails(screen({ address, blockchain }), () => null))
    // A restored sanctions service may have an older list than the one it reported: a pass by that list is not enough.
    if (!found || (found.listId < list.id && !found.isListed)) {
      return { reason: 'A new sanctions list is in use, and the destination cannot be screened by it', listedAt: null }
    }
    if (screened.size >= mostKept) screened.clear()
    if (found.listId === list.id) screened.set(key, found)
    return found.isListed ? { reason: wording(found.source), listedAt: list.activatedAt } : null
  }

  async function knownOf(payment: Payment, listing: Listing | undefined, now: Date): Promise<Known> {
    const { list, passedByOlderUntil } = await inUse('')
    const activatedAt = list?.activatedAt.getTime() ?? 0
    // The list in use may lack what an older list had: it is asked.
    const listedAt = listing && listing.listedAt.getTime() >= activatedAt ? listing.listedAt.getTime() : 0
    const madeAt = payment.createdAt.getTime()
    // The verdict was given after the withdrawal was created. Most payments pass here without reading the record again.
    if (madeAt > Math.max(activatedAt, listedAt, passedByOlderUntil) && madeAt <= now.getTime()) return nothing
    const answered = await answeredUntil(store.read, payment.id)
    if (listing && listedAt > 0 && !isAnswered(listedAt, answered.listings, now)) {
      return { refusal: { reason: listing.reason, listedAt: listing.listedAt }, list: null }
    }
    const isPassed =
      isAnswered(activatedAt, answered.lists, now) && (madeAt > passedByOlderUntil || answered.isReviewed)
    return list && !isPassed ? { refusal: null, list } : nothing
  }

  return {
    /**
     * Records, before a verdict is accepted, that it comes from an older list than the one reported, as from a restored
     * sanctions service: transactions created until now are screened again before they are signed.
     */
    async noteVerdict(listId: number, now: Date): Promise<void> {
      const { list } = await inUse('')
      if (list && listId < list.id) await store.commit((tx) => notePassedByOlder(tx, now))
    },
    /**
     * The payments that may not be signed, by id. Each address is screened once per list. `wasAsked`: whether the
     * sanctions service was asked.
     */
    async refusals(
      payments: readonly Payment[],
      now: Date,
    ): Promise<{ refused: Map<string, Refusal>; wasAsked: boolean }> {
      const addresses = [...new Set(payments.map((payment) => comparableAddress(payment.destinationAddress)))]
      if (addresses.length === 0) return { refused: new Map(), wasAsked: false }
      const rows = await listedAmong(store.read, addresses)
      const listings = new Map(rows.map((row) => [row.address, row]))
      const listingOf = (payment: Payment) => listings.get(comparableAddress(payment.destinationAddress))
      const known = await Promise.all(payments.map((payment) => knownOf(payment, listingOf(payment), now)))
      // Concurrently, so that they share a call.
      const refused = await Promise.all(
        payments.map(async (payment, i) => {
          const { refusal, list } = known[i] as Known
          const found = list ? await byList(list, payment) : refusal
          return found ? [[payment.id, found] as const] : []
        }),
      )
      return { refused: new Map(refused.flat()), wasAsked: known.some(({ list }) => list !== null) }
    },
  }
}

/**
 * Whether a listing at this moment is covered by one of these times. A moment in the future was set by a wrong clock,
 * and covers only itself.
 */
const isAnswered = (moment: number, until: readonly number[], now: Date): boolean =>
  until.some((each) => each === moment || (each <= now.getTime() && each > moment))

/**
 * The times up to which listings are covered: by the screening; for a withdrawal that was frozen again, by the list
 * that froze it, and by reports until a person approved it.
 */
async function answeredUntil(
  db: Db,
  id: string,
): Promise<{ lists: number[]; listings: number[]; isReviewed: boolean }> {
  const record = await transactionById(db, id)
  const refrozen = await refrozenById(db, id)
  const screened = screenedAt(record) - 1
  if (!refrozen) return { lists: [screened], listings: [screened], isReviewed: false }
  const { completedAt = null } = phasesOf(record).find(({ name }) => name === 'review') ?? {}
  const lists = refrozen.listedAt.getTime()
  const reviewed = completedAt === null ? [] : [Date.parse(completedAt)]
  return { lists: [lists], listings: [lists, ...reviewed], isReviewed: true }
}

/** When it was screened, by its result if that has a time: the ledger learns of it later. */
function screenedAt(record: TransactionRecord): number {
  const { completedAt = null } = phasesOf(record).find(({ name }) => name === 'screening') ?? {}
  const result = record.screeningData?.result as { checkedAt?: unknown } | null | undefined
  const times = [completedAt, result?.checkedAt].map((time) =>
    typeof time === 'string' ? Date.parse(time) : Number.NaN,
  )
  return Math.min(...times.filter((time) => !Number.isNaN(time)), record.updatedAt.getTime())
}

/**
 * APPROVED → FROZEN: a person decides again. A withdrawal already on its chain is unchanged, and is not signed again.
 * True if it was frozen.
 */
export async function freezeAgain(tx: Tx, id: string, { reason, listedAt }: Refusal, now: Date): Promise<boolean> {
  const transaction = await transactionById(tx, id)
  const isSent = phasesOf(transaction).some(({ name }) => name === 'confirmation')
  if (transaction.status !== 'APPROVED' || listedAt === null || isSent) return false
  // The question is older than the review that covers this listing.
  const frozen = await refrozenById(tx, transaction.id)
  if (frozen && isAnswered(listedAt.getTime(), [frozen.listedAt.getTime()], now)) return false
  await move(tx, transaction, 'FROZEN', { at: now, detail: reason })
  // A listing dated ahead by a wrong clock was known before: the review that follows covers it.
  const before = new Date(now.getTime() - 1)
  await pullBackListed(tx).execute({ now, listedAt: before })
  await pullBack(tx).execute({ now, activatedAt: before })
  const answeredUntil = listedAt.getTime() > now.getTime() ? before : listedAt
  await putRefrozen(tx).execute({ transactionId: transaction.id, reason, listedAt: answeredUntil })
  return true
}

/** Whether a withdrawal was approved, and so perhaps ordered, before it was frozen. */
export const wasFrozenAgain = async (db: Db, id: string): Promise<boolean> =>
  (await refrozenById(db, id.toLowerCase())) !== undefined

/**
 * For a withdrawal that was just approved: records whether it was frozen again. The wallet service had accepted it
 * then, since it asked for its signature, and is asked for its record: if a restore has lost that, the order must not
 * be taken as new.
 */
export async function noteAcceptedBefore(tx: Tx, id: string, at: Date): Promise<void> {
  if (await wasFrozenAgain(tx, id)) await putAccepted(tx, [{ transactionId: id, orderedAt: at, acceptedAt: at }])
}

/** Records that a list is in use. A time put behind now by a wrong clock counts as before. */
export async function noteActivated(
  tx: Tx,
  { listId: id, name, at }: typeof ListActivated.payload.static,
  now: Date,
): Promise<void> {
  await pullBack(tx).execute({ now, activatedAt: new Date(Date.parse(at) - 1) })
  await putList(tx).execute({ id, name, activatedAt: new Date(at) })
}

/** The cached lists in use are read again afterwards. */
async function notePassedByOlder(tx: Tx, now: Date): Promise<void> {
  await putMetaValue(tx, olderName, now.toISOString())
  await pullBack(tx).execute({ now, activatedAt: now })
}

/** The metadata key: until when verdicts of an older list than the reported one were accepted. */
const olderName = 'passed_by_older_list_until'

/**
 * Notes a list that is in use from now on, as far as is known; one that was told of is known better. Another one may have
 * the number of one that a restore of the sanctions service lost: it was published after that was in use.
 */
export async function noteInUse(
  tx: Tx,
  { id: listId, name, publishedAt }: Pick<ListState, 'id' | 'name' | 'publishedAt'>,
  now: Date,
): Promise<void> {
  const [newest] = await newestList(tx).execute()
  const published = new Date(publishedAt)
  const isLater = newest !== undefined && published > newest.activatedAt && published <= now
  if (newest && newest.id >= listId && !isLater) return
  await putList(tx).execute({ id: listId, name, activatedAt: now })
}

/** Records that an address is on the list. */
export async function noteListed(tx: Tx, { address, source, at }: typeof AddressListed.payload.static): Promise<void> {
  await putListed(tx).execute({ address: comparableAddress(address), reason: wording(source), listedAt: new Date(at) })
}

const wording = (source: ScreeningSource | null): string =>
  `The destination is sanctioned by now: ${source?.provider ?? 'the list in use'}`

type Listing = typeof listedAddresses.$inferSelect

const newestList = prepared((db) => db.select().from(activatedLists).orderBy(desc(activatedLists.activatedAt)).limit(1))
const listedAmong = rowsOf(listedAddresses, 'address')
const refrozenById = rowBy(refrozenWithdrawals, 'transactionId')
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
