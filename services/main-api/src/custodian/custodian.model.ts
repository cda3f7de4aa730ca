import { t } from '@bursar/contracts/schema'
import { queryInteger, queryOffset } from '@bursar/http'

/** GET /custodian-bank/participants. */
export const BankParticipantQuery = t.Object({
  limit: queryInteger({ minimum: 0, maximum: 100, default: 20 }),
  offset: queryOffset({ default: 0 }),
})
