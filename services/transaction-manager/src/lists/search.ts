import { isoTime } from '@bursar/contracts/iso-time'
import { isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { and, anywhere, asc, byKey, type Db, eq, folded, inArray, matches, param, prepared } from '@bursar/store'
import { pfis } from '../banks/pfis.table'
import { badField } from '../errors'
import { moneyText } from '../fields/currency'
import { normalHash, type PaymentRow } from '../payments/payments'
import { payments } from '../payments/payments.table'
import { kinds } from '../payments/states'

/** The result of a search: the payments of some participants, and some single ones. */
export interface Search {
  /** The LIKE pattern of the participants' names. */
  pattern: string
  /** The ids of the participants whose name contains the text. */
  participants: readonly string[]
  /** The payments of others whose reference, id or hash equals the text. */
  exact: readonly PaymentRow[]
}

/** Up to this many participants, their payments are looked up one by one. */
export const mostLookedUp = 20
/** A search that finds more participants is refused, since the payments between each two of them have to be counted. */
export const mostParticipants = 200

/**
 * Looks a text up, case-insensitively: part of a participant's current name, or a whole reference, id or hash. Fails
 * (400) when too many names contain it.
 */
export async function lookUp(db: Db, text: string): Promise<Search> {
  const pattern = anywhere(text)
  const named = await participantsNamed(db).execute({ pattern, limit: mostParticipants + 1 })
  if (named.length > mostParticipants) {
    throw badField('search', `finds more than ${mostParticipants} participants: type more of the name`)
  }
  const { id, hash, reference } = await equalTo(db, text.trim())
  const exact: PaymentRow[] = []
  for (const row of new Map([...id, ...hash, ...reference].map((each) => [each.id, each])).values()) {
    const parties = { pattern, from: row.fromParticipantId, to: row.toParticipantId }
    if ((await namedAmong(db).execute(parties)).length === 0) exact.push(row)
  }
  return { pattern, participants: named.map(({ id }) => id), exact }
}

/** The payments whose id, hash or reference equals the text. */
const equalTo = async (db: Db, text: string) => ({
  id: isUuid(text) ? await withId(db).execute({ id: text.toLowerCase() }) : [],
  hash: await withHash(db).execute({ transactionHash: normalHash(text) }),
  reference: await withReference(db).execute({ referenceKey: folded(text) }),
})

/** The ids of the participants of a search, in a statement with the parameter `pattern`. */
export const participantsOfSearch = (db: Db) =>
  db
    .select({ id: pfis.id })
    .from(pfis)
    .where(matches(pfis.nameKey, param('pattern')))

const participantsNamed = prepared((db) => participantsOfSearch(db).orderBy(asc(pfis.id)).limit(param('limit')))
const namedAmong = prepared((db) =>
  db
    .select({ id: pfis.id })
    .from(pfis)
    .where(and(inArray(pfis.id, [param('from'), param('to')]), matches(pfis.nameKey, param('pattern')))),
)
/** The payments with a reference, at most one of each kind. */
export const withReference = prepared((db) =>
  db
    .select()
    .from(payments)
    .where(and(inArray(payments.kind, [...kinds]), eq(payments.referenceKey, param('referenceKey')))),
)
const withHash = byKey(payments, 'transactionHash')
const withId = byKey(payments, 'id')

/** For the search across services. */
export async function findHits(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const hits = Object.entries(await equalTo(db, q)).flatMap(([field, rows]) =>
    rows.filter((row) => isOf(row, participantId)).map((row) => [row.id, toHit(row, field)] as const),
  )
  return [...new Map(hits).values()]
}

const isOf = (row: PaymentRow, participantId: string | null) =>
  participantId === null || row.fromParticipantId === participantId || row.toParticipantId === participantId

const toHit = (row: PaymentRow, field: string): SearchHit => ({
  kind: 'payment',
  id: row.id,
  title: `${titles[row.type]} of ${moneyText(row.amount, row.currency)} ${row.currency}`,
  detail: field === 'hash' ? `Hash ${row.transactionHash}` : `Reference ${row.reference}`,
  status: row.status,
  at: isoTime(row.createdAt),
})

const titles: Record<PaymentRow['type'], string> = {
  DEPOSIT: 'Deposit',
  WITHDRAWAL: 'Withdrawal',
  TRANSFER: 'Transfer',
  DO_DEPOSIT: 'Digital-obligation deposit',
  INTERNAL_DEPOSIT: 'Internal deposit',
}
