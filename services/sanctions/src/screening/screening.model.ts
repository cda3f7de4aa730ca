import { AddressResult, TransactionResult } from '@bursar/contracts/sanctions'
import { jsonObject, type Static, t, text } from '@bursar/contracts/schema'

export { AddressResult, TransactionResult }

/** Spaces around it are let by; anything that is not a visible ASCII character in it is no part of an address. */
const visible = (maxLength: number) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: '^\\s*[!-~]+\\s*$',
    description: 'must have visible ASCII characters only, and no spaces between them',
  })

/** POST /sanctions/verify-address/sync */
export const AddressToVerify = t.Object({ address: visible(256), blockchain: text(128) })
export type AddressToVerify = Static<typeof AddressToVerify>

/** POST /sanctions/verify-transaction/sync */
export const TransactionToVerify = t.Object({ transactionId: visible(128), blockchain: text(128) })
export type TransactionToVerify = Static<typeof TransactionToVerify>

const job = {
  /** The caller's own name of the job; unique among the jobs of its kind. */
  externalId: text(255),
  /** Headers that are sent with the webhook. */
  callbackHeaders: t.Optional(jsonObject()),
}
/** POST /sanctions/verify-address */
export const AddressJob = t.Object({ ...job, ...AddressToVerify.properties })
/** POST /sanctions/verify-transaction */
export const TransactionJob = t.Object({ ...job, ...TransactionToVerify.properties })
