import { exampleAddress, exampleIds, exampleToken } from '@bursar/contracts/examples'
import { AddressResult, TransactionResult } from '@bursar/contracts/sanctions'
import { about, jsonObject, type Static, t, text } from '@bursar/contracts/schema'

export { AddressResult, TransactionResult }

/** Surrounding spaces are allowed; inside, only visible ASCII characters. */
const visible = (maxLength: number) =>
  t.String({
    minLength: 1,
    maxLength,
    pattern: '^\\s*[!-~]+\\s*$',
    patternProblem: 'must have visible ASCII characters only, and no spaces between them',
  })

const blockchain = () => about('Its network, such as ethereum', text(128))
const address = { address: visible(256), blockchain: blockchain() }
const transaction = {
  transactionId: about('The hash of the transaction on its network', visible(128)),
  blockchain: blockchain(),
}
const anAddress = { address: exampleAddress, blockchain: 'ethereum' }
const aTransaction = { transactionId: exampleIds.depositHash, blockchain: exampleToken.network }

/** POST /sanctions/verify-address/sync */
export const AddressToVerify = t.Object(address, { title: 'AddressToVerify', examples: [anAddress] })
export type AddressToVerify = Static<typeof AddressToVerify>

/** POST /sanctions/verify-transaction/sync */
export const TransactionToVerify = t.Object(transaction, { title: 'TransactionToVerify', examples: [aTransaction] })
export type TransactionToVerify = Static<typeof TransactionToVerify>

const job = {
  externalId: about('The caller’s own id of the job; unique per kind of job', text(255)),
  callbackHeaders: t.Optional(jsonObject()),
}
const callbackHeaders = { 'x-payment': 'payment-4711' }

/** POST /sanctions/verify-address */
export const AddressJob = t.Object(
  { ...job, ...address },
  { title: 'AddressJob', examples: [{ externalId: 'payment-4711', ...anAddress, callbackHeaders }] },
)
/** POST /sanctions/verify-transaction */
export const TransactionJob = t.Object(
  { ...job, ...transaction },
  { title: 'TransactionJob', examples: [{ externalId: 'payment-4711', ...aTransaction, callbackHeaders }] },
)
