import { about, oneOf, type Static, t } from '@bursar/contracts/schema'
import { pageOf, queryInteger, queryOffset, queryWords } from '@bursar/http'
import { Payment } from '../payments/payments.model'
import { statuses, types } from '../payments/states'
import { sorts } from './find-page'

const typeFilter = () => t.Optional(about('Only payments of these types', queryWords(types)))
const statusFilter = () => t.Optional(about('Only payments in these statuses', queryWords(statuses)))

/** GET /transactions (spec 3). Both ways of writing an array hold: `status=A&status=B`, `status[]=A&status[]=B`. */
export const PaymentQuery = t.Object({
  limit: queryInteger({ minimum: 0, maximum: 100, default: 20 }),
  offset: queryOffset({ default: 0 }),
  search: t.Optional(
    about(
      'Part of the name of a participant, or a whole reference, transaction hash or id, in any case',
      t.String({ maxLength: 200 }),
    ),
  ),
  status: statusFilter(),
  'status[]': statusFilter(),
  type: typeFilter(),
  'type[]': typeFilter(),
  sortBy: oneOf(sorts, { default: 'createdAt' }),
  sortDirection: about('`ASC`: smallest first; `DESC`: largest first', oneOf(['ASC', 'DESC'], { default: 'DESC' })),
})
export type PaymentQuery = Static<typeof PaymentQuery>

export const PaymentPage = pageOf(Payment)
