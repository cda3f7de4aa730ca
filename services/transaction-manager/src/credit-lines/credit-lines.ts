import { isUuid } from '@bursar/contracts/schema'
import type { CreditLimit, CreditLine } from '@bursar/contracts/transaction-manager'
import { asc, type Db, gt, inArray, insertAll, param, prepared, putAll, queryAmong, type Tx } from '@bursar/store'
import { badField, fail } from '../errors'
import { currencyOf, limitOf, moneyText } from '../fields/currency'
import { creditEntries, creditLines } from './credit-lines.table'

/**
 * Credit lines (decisions, Credit line). A line limits how much a participant may pay out in a currency before money
 * comes in again; a currency without a line is not limited.
 *
 * - A withdrawal or transfer reserves its amount at its creation, when its sender has a line: 409 when the line has
 *   expired or too little is available.
 * - When it is REJECTED, CANCELLED or FAILED it releases the amount; when COMPLETED it draws it.
 * - Money that comes in (a completed deposit of any type, a completed transfer at its receiver) repays what is drawn,
 *   up to the drawn amount; the line ignores the rest. Reserved amounts are not affected.
 *
 * At any time: reserved = the sum of the payments under way that reserved; drawn = the sum of the completed ones, less
 * repayments; neither is negative, and no payment raises used = reserved + drawn above the limit.
 */
type CreditLineRow = typeof creditLines.$inferSelect
type Kind = (typeof creditEntries.$inferSelect)['kind']

/** The fields of a payment that move a line. */
export interface Movement {
  paymentId: string
  participantId: string
  currency: string
  amount: bigint
}

export type Lines = Awaited<ReturnType<typeof openLines>>

/** The credit lines of these participants, for new payments that are made together in this commit. */
export async function openLines(tx: Tx, participantIds: readonly string[]) {
  const rows = await linesOf(tx, [...new Set(participantIds)])
  const lines = new Map(rows.map((line) => [placeOf(line), line]))
  const changed = new Map<string, CreditLineRow>()
  const reserved: Movement[] = []
  return {
    /**
     * Reserves a new payment's amount, for `write`. Returns false when the sender has no line in the currency. Throws 409,
     * and reserves nothing, when the line does not allow it.
     */
    reserve(movement: Movement, now: Date): boolean {
      const place = placeOf(movement)
      const line = changed.get(place) ?? lines.get(place)
      if (!line) return false
      requireAvailable(line, movement, now)
      changed.set(place, { ...line, reserved: line.reserved + movement.amount, updatedAt: now })
      reserved.push(movement)
      return true
    },
    /** Writes what was reserved. */
    async write(tx: Tx, now: Date): Promise<void> {
      await putLines(tx, [...changed.values()])
      const entries = reserved.map((movement) => ({ ...movement, kind: 'reserve' as const, createdAt: now }))
      await insertEntries(tx, entries)
    },
  }
}

const placeOf = ({ participantId, currency }: Pick<Movement, 'participantId' | 'currency'>): string =>
  `${participantId} ${currency}`

/** Releases what a payment reserved. */
export async function release(tx: Tx, movement: Movement, now: Date): Promise<void> {
  const line = await reservedLine(tx, movement)
  await post(tx, { ...line, reserved: line.reserved - movement.amount }, 'release', movement, now)
}

/** Draws what a payment reserved, when it completes. */
export async function settle(tx: Tx, movement: Movement, now: Date): Promise<void> {
  const line = await reservedLine(tx, movement)
  const { reserved, drawn } = line
  const { amount } = movement
  await post(tx, { ...line, reserved: reserved - amount, drawn: drawn + amount }, 'settle', movement, now)
}

/** Incoming money repays what is drawn, up to that amount. */
export async function repay(tx: Tx, movement: Movement, now: Date): Promise<void> {
  const line = await lineOf(tx, movement)
  if (!line || line.drawn === 0n) return
  const isAllPaidBack = movement.amount >= line.drawn
  const amount = isAllPaidBack ? line.drawn : movement.amount
  await post(tx, { ...line, drawn: line.drawn - amount }, 'repay', { ...movement, amount }, now)
}

/**
 * Sets a line's limit, creating the line if needed. 400 for an invalid currency or limit, 409 for a limit below the
 * used amount.
 */
export async function setLimit(tx: Tx, participantId: string, input: CreditLimit, now: Date): Promise<CreditLineRow> {
  const currency = currencyOf(input.currency)
  const limit = limitOf(input.limit, currency)
  const known = await lineOf(tx, { participantId, currency })
  const before = known ?? { participantId, currency, reserved: 0n, drawn: 0n, expiresAt: null }
  if (limit < before.reserved + before.drawn) {
    const used = moneyText(before.reserved + before.drawn, currency)
    throw fail('CONFLICT', { message: `limit must not be less than what is used: ${used} ${currency}` })
  }
  const { expiresAt: ends = before.expiresAt } = input
  const line: CreditLineRow = { ...before, limit, expiresAt: ends === null ? null : new Date(ends), updatedAt: now }
  await putLines(tx, [line])
  return line
}

/** The lines of these participants, sorted by participant and currency. At most 100 participants. */
export const linesOf = queryAmong(
  (participantIds) => (db) =>
    db
      .select()
      .from(creditLines)
      .where(inArray(creditLines.participantId, participantIds))
      .orderBy(asc(creditLines.participantId), asc(creditLines.currency)),
)

/** The lines after a participant, or after its line in one currency, in the same order: at most `limit`. */
export async function pageOfLines(
  db: Db,
  after: string,
  afterCurrency: string | undefined,
  limit: number,
): Promise<CreditLineRow[]> {
  const rest =
    afterCurrency === undefined ? [] : (await linesOf(db, [after])).filter(({ currency }) => currency > afterCurrency)
  const later = await linesAfter(db).execute({ after, limit })
  return [...rest, ...later].slice(0, limit)
}

export const toCreditLine = (row: CreditLineRow): CreditLine => ({
  participantId: row.participantId,
  currency: row.currency,
  limit: moneyText(row.limit, row.currency),
  used: moneyText(row.reserved + row.drawn, row.currency),
  available: moneyText(row.limit - row.reserved - row.drawn, row.currency),
  expiresAt: row.expiresAt?.toISOString() ?? null,
})

function requireAvailable(line: CreditLineRow, { amount, currency }: Movement, now: Date) {
  if (line.expiresAt && line.expiresAt <= now) {
    throw fail('CONFLICT', { message: `The credit line in ${currency} expired at ${line.expiresAt.toISOString()}` })
  }
  const available = line.limit - line.reserved - line.drawn
  if (amount <= available) return
  throw fail('CONFLICT', {
    message: `The credit line has ${moneyText(available, currency)} ${currency} available, less than the amount`,
  })
}

/** The line where a payment reserved its amount: lines are never removed. */
async function reservedLine(tx: Tx, movement: Movement): Promise<CreditLineRow> {
  const line = await lineOf(tx, movement)
  if (line && line.reserved >= movement.amount) return line
  throw new Error(`The credit line has less reserved than payment ${movement.paymentId} reserved`)
}

async function post(tx: Tx, line: CreditLineRow, kind: Kind, movement: Movement, now: Date): Promise<void> {
  await putLines(tx, [{ ...line, updatedAt: now }])
  await insertEntries(tx, [{ ...movement, kind, createdAt: now }])
}

const lineOf = async (
  tx: Tx,
  place: Pick<Movement, 'participantId' | 'currency'>,
): Promise<CreditLineRow | undefined> =>
  (await linesOf(tx, [place.participantId])).find(({ currency }) => currency === place.currency)

const putLines = putAll(
  creditLines,
  ['participantId', 'currency'],
  ['limit', 'reserved', 'drawn', 'expiresAt', 'updatedAt'],
)
const insertEntries = insertAll(creditEntries)
const linesAfter = prepared((db) =>
  db
    .select()
    .from(creditLines)
    .where(gt(creditLines.participantId, param('after')))
    .orderBy(asc(creditLines.participantId), asc(creditLines.currency))
    .limit(param('limit')),
)

const mostParticipants = 100

/** The ids of a comma-separated list, each once; 400 for one that is not a UUID, and for more than 100. */
export function idsOf(list: string): string[] {
  const ids = [...new Set(list.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => id !== '')
  if (!ids.every(isUuid)) throw badField('participantIds', 'must be UUIDs, separated by commas')
  if (ids.length > mostParticipants) throw badField('participantIds', `must have at most ${mostParticipants} ids`)
  return ids
}
