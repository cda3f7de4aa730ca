import {
  appendTransactionMessageInstructions,
  type Blockhash,
  createTransactionMessage,
  generateKeyPairSigner,
  getBase64Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  getTransactionEncoder,
  type Instruction,
  type KeyPairSigner,
  partiallySignTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners,
} from '@solana/kit'
import type { Signer } from '../wallet'

const keys = new Map<string, KeyPairSigner>()

/** A new key that the wallet signs with. */
export async function newKey(): Promise<KeyPairSigner> {
  const key = await generateKeyPairSigner()
  keys.set(key.address, key)
  return key
}

/** Signs with the test's keys. */
export const signSolana: Signer = async ({ unsigned, signers }) => {
  const messageBytes = getBase64Encoder().encode(unsigned)
  const { staticAccounts, header } = getCompiledTransactionMessageDecoder().decode(messageBytes)
  const signatures = Object.fromEntries(staticAccounts.slice(0, header.numSignerAccounts).map((each) => [each, null]))
  const draft = { messageBytes, signatures } as unknown as Parameters<typeof partiallySignTransaction>[1]
  const pairs = signers.map((signer) => (keys.get(signer) as KeyPairSigner).keyPair)
  const signed = await partiallySignTransaction(pairs, draft)
  return {
    signed: getBase64Decoder().decode(getTransactionEncoder().encode(signed)),
    txHash: getSignatureFromTransaction(signed),
  }
}

/** A transaction of somebody else's, signed by its fee payer and the keys in its instructions. */
export const transactionBy = (payer: KeyPairSigner, blockhash: Blockhash, instructions: Instruction[]) =>
  pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash({ blockhash, lastValidBlockHeight: 10_000n }, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    (message) => signTransactionMessageWithSigners(message),
  )
