import { isoTime } from '@bursar/contracts/iso-time'
import { isUuid } from '@bursar/contracts/schema'
import type { SearchHit } from '@bursar/contracts/search'
import type { Sought } from '@bursar/http'
import { type Db, folded } from '@bursar/store'
import { moneyText } from '../fields/currency'
import { normalHash, type PaymentRow } from '../payments/payments'
import { withHash, withId, withReference } from './search'

/** The payments whose id, reference or hash equals the text. */
export async function findHits(db: Db, { q, participantId }: Sought): Promise<SearchHit[]> {
  const found: [field: string, rows: PaymentRow[]][] = [
    ['id', isUuid(q) ? await withId(db).execute({ id: q.toLowerCase() }) : []],
    ['hash', await withHash(db).execute({ transactionHash: normalHash(q) })],
    ['reference', await withReference(db).execute({ referenceKey: folded(q) })],
  ]
  const hits = found.flatMap(([field, rows]) =>
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
