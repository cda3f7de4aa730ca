import type { Static } from '@bursar/contracts/schema'
import type { MessageToSign, SignedMessage } from '@bursar/contracts/wallet'
import type { WalletDeps } from '../deps'
import { placeOf } from '../keys/key-place'
import { hashMessage } from './message-hash'
import { portfolioWallet } from './portfolio-wallet'

/** Signs a message with the key of a portfolio account. Fails as hashMessage and portfolioWallet do. */
export async function signMessage(
  deps: WalletDeps,
  input: Static<typeof MessageToSign>,
): Promise<Static<typeof SignedMessage>> {
  const { hash, message } = await hashMessage(input)
  const wallet = await portfolioWallet(deps, input.accountId, input.chainId)
  const bytes = deps.keys.signHash(placeOf(wallet.walletAccountId), Buffer.from(hash.slice(2), 'hex'))
  const hex = (from: number, to: number) => Buffer.from(bytes.subarray(from, to)).toString('hex')
  const [r, s, v] = [hex(1, 33), hex(33, 65), 27 + (bytes[0] ?? 0)]
  return {
    signature: `0x${r}${s}${v.toString(16)}`,
    r: `0x${r}`,
    s: `0x${s}`,
    v,
    messageHash: hash,
    message,
    walletAddress: wallet.address,
    network: wallet.network,
    signMode: input.signMode.toLowerCase(),
    status: 'completed',
    completedAt: deps.clock().toISOString(),
  }
}
