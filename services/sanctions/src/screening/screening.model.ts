import { AddressResult, TransactionResult } from '@bursar/contracts/sanctions'
import { jsonObject, type Static, t, text } from '@bursar/contracts/schema'

export { AddressResult, TransactionResult }

/** Spaces around it are let by; anything that is not a visible ASCII character in it is no part of an address. */
const visible = (maxLength: number, example: string) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: '^\\s*[!-~]+\\s*$',
    description: 'must have visible ASCII characters only, and no spaces between them',
    examples: [example],
  })

const blockchain = () => t.String({ ...text(128), examples: ['ethereum'] })

/** POST /sanctions/verify-address/sync */
export const AddressToVerify = t.Object({
  address: visible(256, '0x098B716B8Aaf21512996dC57EB0615e2383E2f96'),
  blockchain: blockchain(),
})
export type AddressToVerify = Static<typeof AddressToVerify>

/** POST /sanctions/verify-transaction/sync */
export const TransactionToVerify = t.Object({
  transactionId: visible(128, '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060'),
  blockchain: blockchain(),
})
export type TransactionToVerify = Static<typeof TransactionToVerify>

const job = {
  /** The caller's own name of the job; unique among the jobs of its kind. */
  externalId: t.String({ ...text(255), examples: ['payment-4711'] }),
  /** Headers that are sent with the webhook. */
  callbackHeaders: t.Optional(jsonObject()),
}
/** POST /sanctions/verify-address */
export const AddressJob = t.Object({ ...job, ...AddressToVerify.properties })
/** POST /sanctions/verify-transaction */
export const TransactionJob = t.Object({ ...job, ...TransactionToVerify.properties })
