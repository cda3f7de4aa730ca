import { type Hex, keccak256, parseTransaction, type TransactionSerializable } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Signer } from '../wallet'
import { keys } from './anvil'

const accounts = new Map(
  keys.map((key) => privateKeyToAccount(key)).map((account) => [account.address.toLowerCase(), account]),
)

/** Signs with anvil's own keys. */
export const signEvm: Signer = async ({ unsigned, signers }) => {
  const account = accounts.get(signers[0]?.toLowerCase() ?? '')
  if (!account) throw new Error(`No key of ${signers[0]}`)
  const signed = await account.signTransaction(parseTransaction(unsigned as Hex) as TransactionSerializable)
  return { signed, txHash: keccak256(signed) }
}
