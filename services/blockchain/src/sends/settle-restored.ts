import type { BlockchainDeps } from '../deps'
import type { Attempt, Chain } from '../networks/network'
import { type Sender, senderQueue } from './queue'
import { findSend, recordAttempt, recordFailed, retryLater } from './sends'
import type { SendRow } from './sends.table'

/**
 * A send from before a restore that cannot be drafted or signed, perhaps because it was paid since. It
 * ends according to the wallet service's record, whose transaction must be on the chain; else it waits with a reason.
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
    // The next check reads its outcome from the chain.
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

/** The ledger orders it again if it knows it; else the wallet service refuses it, unless it holds it. */
const unknownWords = (problem: string): string =>
  `From before a restore, and perhaps paid since; the wallet service has no such order: it is ordered anew, or ends with that service’s hold (bun run wallet:held --end): ${problem}`

/** The wallet service's transaction for it, once final; only its hash is known. */
async function finalAttempt(chain: Chain, row: SendRow, text: string, now: Date): Promise<Attempt | null> {
  const txHash = chain.hash(text)
  if (txHash === null) return null
  const signed = { network: row.network, txHash, sender: row.sender, nonce: null, blockhash: null }
  const [fate] = await chain.sending.fates([{ ...signed, isHandedOver: false, expiresAt: null }])
  if (fate?.fate !== 'final' && fate?.fate !== 'reverted') return null
  const unknown = { unsigned: '', signed: '', signers: [row.fromAddress], nonce: null, expiresAt: null }
  return { ...unknown, txHash, createdAt: now }
}
