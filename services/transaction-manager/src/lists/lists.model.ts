import { exampleIds } from '@bursar/contracts/examples'
import { about, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, offsetQuery, pageOf, queryTime, queryUuid, queryUuids, queryWords } from '@bursar/http'
import { Payment, status, type } from '../payments/payments.model'
import { statuses, types } from '../payments/states'
import { sorts } from './find-page'

const typeFilter = () => t.Optional(about('Only payments of these types', queryWords(types)))
const statusFilter = () => t.Optional(about('Only payments in these statuses', queryWords(statuses)))

/** Filters in order of creation: they cannot be combined with a search or another sort. */
const narrowing = () => ({
  participantId: t.Optional(about('Only payments that this participant pays or receives', queryUuid())),
  reference: t.Optional(about('Only payments with this reference, case-insensitive', t.String({ maxLength: 140 }))),
  from: t.Optional(about('Only payments created at this time or later', queryTime())),
  to: t.Optional(about('Only payments created at this time or before', queryTime())),
  order: keysetQuery.order,
})

/** GET /transactions (spec 3). Arrays may be written in two ways: `status=A&status=B`, `status[]=A&status[]=B`. */
export const PaymentQuery = t.Object({
  ...offsetQuery,
  search: t.Optional(
    about(
      'Part of the name of a participant, or a whole reference, transaction hash or id, case-insensitive',
      t.String({ maxLength: 200 }),
    ),
  ),
  status: statusFilter(),
  'status[]': statusFilter(),
  type: typeFilter(),
  'type[]': typeFilter(),
  sortBy: oneOf(sorts, { default: 'createdAt' }),
  sortDirection: about('`ASC`: smallest first; `DESC`: largest first', oneOf(['ASC', 'DESC'], { default: 'DESC' })),
  ...narrowing(),
  after: keysetQuery.after,
  count: keysetQuery.count,
})
export type PaymentQuery = Static<typeof PaymentQuery>

/** GET /transactions/export: the list's filters. */
export const PaymentExportQuery = t.Object({ status: statusFilter(), type: typeFilter(), ...narrowing() })
export type PaymentExportQuery = Static<typeof PaymentExportQuery>

/** The most payments of one request. */
const mostAtOnce = 100

/** GET /transactions/several */
export const SeveralQuery = t.Object({
  ids: about('Of these payments', { ...queryUuids(mostAtOnce), examples: [[exampleIds.payment]] }),
})

/** GET /transactions/counts */
export const PaymentCount = t.Object(
  {
    type: type(),
    status: status(),
    count: about('The number of payments with this type and status', t.Integer()),
    oldestId: about('The id of the oldest of them', uuid()),
    oldestAt: about('When the oldest of them was created', timestamp()),
  },
  { title: 'PaymentCount', description: 'The number of payments with a type and a status' },
)
export type PaymentCount = Static<typeof PaymentCount>

export const PaymentPage = pageOf(Payment)
