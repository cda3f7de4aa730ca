import { batchCall } from './batch'
import { writeCall } from './call'
import { type Static, t, uuid } from './schema'

/** A transaction that the blockchain service has built for an order, to be signed by the keys that the order names. */
export const TransactionToSign = t.Object(
  {
    /** The withdrawal or execution that it carries out: the wallet service signs only what agrees with its order. */
    orderId: uuid(),
    network: t.String(),
    /** The signers: addresses of this deployment, the fee payer's first if there is one. */
    signers: t.Array(t.String(), { minItems: 1, maxItems: 4 }),
    /**
     * EVM: the unsigned transaction, serialised, hex. Solana: the compiled message, base64. Simulated: JSON text of an
     * object with `orderId`, `network`, `from`, `to`, `contractAddress` and `amount` as in NewSend (`transactionData` may
     * be left out), and whatever else the chain wants to have signed.
     */
    unsigned: t.String({ maxLength: 200_000 }),
  },
  { title: 'TransactionToSign' },
)
export const SignedTransaction = t.Object(
  {
    /**
     * The signed transaction in the encoding of `unsigned`, ready to be broadcast. Simulated: the same object with
     * `signature`, in hex, by the paying address over the bytes of `bursar simulated transaction\n` and `unsigned`:
     * ed25519 where that is a Solana address, else secp256k1 (recovery bit, r, s) over their SHA-256.
     */
    signed: t.String(),
    /** Its hash on the chain: Keccak-256 of `signed`; where the payer has a Solana address, the first signature in base58. */
    txHash: t.String(),
  },
  { title: 'SignedTransaction' },
)
export type SignedTransaction = Static<typeof SignedTransaction>
/** The end of the message about a transaction that waits only for the nonce before its own. */
export const behindAnother = 'a nonce before its own is not signed'

/**
 * Signs a transaction that the ledger authorises now; a repeat gets the same answer. 422 for good when it differs from its
 * order, its fee is above what this deployment pays, a key is not of this deployment, or
 * the order has ended. 404 for an id that no order came for. 409 while the order waits: for the ledger's terms, for an
 * operator, for an earlier signature of another nonce that may still be mined (`getSignatureFates`), or for the nonce
 * before its own. 503 and 504 while the ledger or the chain cannot be asked.
 */
export const signTransaction = writeCall(
  'wallet',
  'POST',
  '/internal/sign-transaction',
  TransactionToSign,
  SignedTransaction,
)
/** The same for many. */
export const signTransactions = batchCall('wallet', '/internal/sign-transactions', TransactionToSign, SignedTransaction)
