import type { AppError } from '@bursar/http'
import {
  type Address,
  assertIsFullySignedTransaction,
  type Base64EncodedWireTransaction,
  getBase64Decoder,
  getBase64Encoder,
  getPublicKeyFromAddress,
  getSignatureFromTransaction,
  getTransactionDecoder,
  isSolanaError,
  type Signature,
  verifySignature,
} from '@solana/kit'
import { answersOf } from '../answers'
import { refusedTransaction } from '../held-transaction'
import type { Attempt, Draft, NetworkSettings, Outcome, Sending } from '../network'
import { asking } from '../node-failure'
import { hasBlocksFrom, outcomesOf } from './outcomes'
import { draftSolana } from './solana-draft'
import { solanaFates } from './solana-fates'
import type { SolanaNodes } from './solana-nodes'
import type { SolanaRpc } from './solana-rpc'
import { findRecord } from './solana-source'

/** Sends transactions on Solana, each with a blockhash, after whose expiry it cannot be included. */
export const solanaSending = ({ name }: NetworkSettings, nodes: SolanaNodes): Sending => ({
  draft: (request) => asking(name, () => draftSolana(nodes.rpc, request)),
  hashOf,
  broadcast: (attempts) =>
    asking(name, async () => {
      const refusals: AppError[] = []
      // One that is refused holds up no other: there are no nonces.
      for (const attempt of attempts) refusals.push(...(await handOver(name, nodes.rpc, attempt)))
      if (refusals[0]) throw refusals[0]
    }),
  outcomes: (attempts) =>
    asking(name, async () => withFees(nodes.rpc, attempts, await outcomesOf(nodes.rpc, nodes.agree, attempts))),
  dearer: async () => null,
  lossOf: (_sender, attempts) => asking(name, async () => ((await areOver(nodes, attempts)) ? 'lost' : 'none')),
  fates: solanaFates(name, nodes),
})

/** Throws when the signed transaction has another message than the draft, or a signature is missing or wrong. */
async function hashOf({ unsigned, signers }: Draft, signed: string): Promise<string> {
  const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(signed))
  if (getBase64Decoder().decode(transaction.messageBytes) !== unsigned) {
    throw new Error('The wallet service signed another transaction than was asked for')
  }
  assertIsFullySignedTransaction(transaction)
  for (const signer of signers as Address[]) {
    const signature = transaction.signatures[signer]
    const isRight =
      signature && (await verifySignature(await getPublicKeyFromAddress(signer), signature, transaction.messageBytes))
    if (!isRight) throw new Error(`The wallet service's signature of ${signer} is not valid`)
  }
  return getSignatureFromTransaction(transaction)
}

/** Gives why a node does not take it; nothing where one does, or has it. */
async function handOver(network: string, rpc: SolanaRpc, { signed, txHash }: Attempt): Promise<AppError[]> {
  try {
    const wire = signed as Base64EncodedWireTransaction
    await rpc.sendTransaction(wire, { encoding: 'base64', skipPreflight: true }).send()
    return []
  } catch (error) {
    const words = wordsOf(error)
    if (/already (been )?processed/i.test(`${words} ${error}`)) return []
    if (words === null) throw error
    return [refusedTransaction(network, txHash, words)]
  }
}

/** What a node answered instead of a result; null when none could be asked. */
function wordsOf(error: unknown): string | null {
  if (!isSolanaError(error)) return null
  const { __code: code, __serverMessage: said } = error.context as { __code: number; __serverMessage?: string }
  // Those of JSON-RPC are below 0, those of the client above.
  return code < 0 ? `${said ?? error.message} (${code})` : null
}

/**
 * Whether all attempts have expired and none is in a block. One node must answer all of it, in this order: it has then
 * seen every block that could contain them, and has not deleted it. No other one that answers may contradict it.
 */
async function areOver({ each, agree }: SolanaNodes, attempts: readonly Attempt[]): Promise<boolean> {
  const last = Math.max(...attempts.map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY))
  const since = Math.min(...attempts.map(({ createdAt }) => createdAt.getTime()))
  const askOne = async (rpc: SolanaRpc): Promise<'over' | 'unseen' | 'open'> => {
    if ((await rpc.getBlockHeight({ commitment: 'finalized' }).send()) <= last) return 'open'
    if (!(await outcomesOf(rpc, agree, attempts)).every(({ is }) => is === 'absent')) return 'open'
    return (await hasBlocksFrom(rpc)) <= since ? 'over' : 'unseen'
  }
  const answers = await answersOf(each.map(askOne))
  return answers.includes('over') && !answers.includes('open')
}

/** The outcomes with the fees of final ones. One without a record on the node is not final yet. */
export const withFees = (
  rpc: SolanaRpc,
  attempts: readonly { txHash: string }[],
  outcomes: readonly Outcome[],
): Promise<Outcome[]> =>
  Promise.all(
    outcomes.map(async (outcome, i): Promise<Outcome> => {
      if (outcome.is !== 'confirmed' && outcome.is !== 'reverted') return outcome
      const record = await findRecord(rpc, attempts[i]?.txHash as Signature, 'finalized')
      if (!record?.meta) return { is: 'included' }
      const payer = record.transaction.message.accountKeys[0] ?? ''
      return { ...outcome, fee: { payer, amount: record.meta.fee } }
    }),
  )
