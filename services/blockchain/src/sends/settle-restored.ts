import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain } from '../networks/network'
import { type Sender, senderQueue } from './queue'
import { findSend, recordAttempt, recordFailed, retryLater } from './sends'
import type { SendRow } from './sends.table'

/**
 * A send from before a restore that cannot be drafted, or is not signed: it may have been paid since, which is why. It
 * ends as the wallet service's record says, whose transaction the chain must know; else it waits, and says for what.
 */
export async function settleRestored(
  deps: BlockchainDeps,
  chain: Chain,
  sender: Sender,
  { row, problem, isUnknown = false }: { row: SendRow; problem: string; isUnknown?: boolean },
): Promise<void> {
  const record = await deps.walletRecords(row.id)
  const paidBy = record?.txHash == null ? null : await finalAttempt(chain, row, record.txHash, deps.clock())
  await deps.store.commit(async (tx) => {
    await senderQueue.assertHeld(tx, [sender])
    const current = await findSend(tx, row.id)
    if (current?.status !== 'accepted') return
    const now = deps.clock()
    // How it ended on the chain is seen by the next look.
    if (paidBy) await recordAttempt(tx, current, paidBy, now)
    else if (record?.status === 'failed') await recordFailed(tx, current, record.reason ?? problem, record.txHash, now)
    else {
      const words = isUnknown ? unknownWords(problem) : waitingWords(problem)
      await retryLater(tx, current, words, { pollMs: chain.settings.pollMs, now })
    }
  })
}

const waitingWords = (problem: string): string =>
  `From before a restore, and perhaps paid since; it waits for its earlier signatures (wallet:held): ${problem}`

/** The ledger orders it anew should it know it; else the wallet service refuses it, unless it has a hold of its own. */
const unknownWords = (problem: string): string =>
  `From before a restore, and perhaps paid since; the wallet service has no such order: it is ordered anew, or ends with that service’s hold (bun run wallet:held --end): ${problem}`

/** The transaction under which the wallet service knows it, once that is final; of it only the hash is known. */
async function finalAttempt(chain: Chain, row: SendRow, text: string, now: Date): Promise<Attempt | null> {
  const txHash = chain.hash(text)
  if (txHash === null) return null
  const signed = { network: row.network, txHash, sender: row.sender, nonce: null, blockhash: null }
  const [fate] = await chain.sending.fates([{ ...signed, isHandedOver: false, expiresAt: null }])
  if (fate?.fate !== 'final' && fate?.fate !== 'reverted') return null
  const unknown = { unsigned: '', signed: '', signers: [row.fromAddress], nonce: null, expiresAt: null }
  return { ...unknown, txHash, createdAt: now }
}
