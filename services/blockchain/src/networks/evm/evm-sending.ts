import {
  type Address,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  recoverTransactionAddress,
  serializeTransaction,
  type TransactionReceipt,
  type TransactionSerializableEIP1559,
} from 'viem'
import { call, estimateGas, getBalance, getTransaction, sendRawTransaction } from 'viem/actions'
import { fateBy } from '../fate-by'
import { refusedTransaction } from '../held-transaction'
import type {
  Attempt,
  Draft,
  Fate,
  Fee,
  NetworkSettings,
  Outcome,
  RecordedTaker,
  Sending,
  Sent,
  SignedTransaction,
} from '../network'
import { asking, WrongNodeError } from '../node-failure'
import { lookAtChain } from './chain-look'
import { costOf, draftEvm, limitOf, mostGas, suggestFees } from './evm-draft'
import type { EvmNodes } from './evm-nodes'
import { isAnswered, type NodeClient, refusalOf } from './node-client'
import { findTaker, lossOf, type Seen } from './nonce-taken'
import { nonceGap } from './nonces'
import { feeOf, findReceipt } from './receipts'
import { revertReason } from './revert-reason'

/** Transactions broadcast at once. */
const together = 50

/** Sends transactions on an EVM network, each with a nonce and a fee (EIP-1559). */
export function evmSending(settings: NetworkSettings, nodes: EvmNodes, recorded: RecordedTaker): Sending {
  const see = (): Seen => ({ client: nodes.client, look: lookAtChain(settings, nodes), recorded })
  return {
    draft: (request) => asking(settings.name, () => draftEvm(settings, nodes, see(), request)),
    hashOf,
    broadcast: (attempts) =>
      asking(settings.name, async () => {
        for (let at = 0; at < attempts.length; at += together) {
          // In one request, in this order; a node queues a transaction until its predecessors arrive.
          const handed = attempts
            .slice(at, at + together)
            .map((attempt) => handOver(settings.name, nodes.client, attempt))
          for (const outcome of await Promise.allSettled(handed))
            if (outcome.status === 'rejected') throw outcome.reason
        }
      }),
    outcomes: (attempts) => {
      const seen = see()
      return asking(settings.name, () => Promise.all(attempts.map((each) => outcomeOf(seen, each))))
    },
    dearer: (attempt, keepsGas = false) => asking(settings.name, () => dearer(nodes.client, attempt, keepsGas)),
    gapBefore: (sender, { nonce }) =>
      asking(settings.name, async () => (nonce === null ? null : await nonceGap(nodes, getAddress(sender), nonce))),
    lossOf: (sender, attempts) => asking(settings.name, () => lossOf(see(), sender, attempts)),
    fates: (signed) => {
      const seen = see()
      return asking(settings.name, () => Promise.all(signed.map((each) => fateOf(seen, each))))
    },
  }
}

/** Throws when the signed transaction is not the draft, or not signed by its signer. */
async function hashOf({ unsigned, signers }: Draft, signed: string): Promise<string> {
  const serialized = signed as `0x02${string}`
  const { r: _r, s: _s, v: _v, yParity: _y, ...said } = parseTransaction(serialized)
  if (serializeTransaction(said as TransactionSerializableEIP1559) !== unsigned) {
    throw new Error('The wallet service signed another transaction than was asked for')
  }
  const signer = await recoverTransactionAddress({ serializedTransaction: serialized })
  if (signer.toLowerCase() !== signers[0]?.toLowerCase()) throw new Error(`The wallet service signed as ${signer}`)
  return keccak256(serialized)
}

const alreadyThere =
  /already known|already imported|known transaction|alreadyknown|nonce too low|lower than the current nonce/i

async function handOver(network: string, client: NodeClient, { signed, txHash }: Attempt): Promise<void> {
  try {
    await sendRawTransaction(client, { serializedTransaction: signed as Hex })
  } catch (error) {
    // The outcome shows whether the nonce was taken by this transaction.
    if (alreadyThere.test(String(error))) return
    const refusal = refusalOf(error)
    throw refusal ? refusedTransaction(network, txHash, refusal.message) : error
  }
}

async function outcomeOf({ client, look }: Seen, of: Sent): Promise<Outcome> {
  const receipt = await findReceipt(client, of.txHash)
  if (!receipt) return { is: 'absent' }
  if ((await look.standing(receipt)) !== 'final') return { is: 'included' }
  const fee = paidFee(receipt, of)
  return receipt.status === 'success'
    ? { is: 'confirmed', fee }
    : { is: 'reverted', reason: await reasonOf(client, receipt), fee }
}

/** The fee that a receipt names. Fails when it is more than was signed, or another's: it is booked as it is told. */
function paidFee(receipt: TransactionReceipt, { unsigned = '', signers: [signer = ''] = [] }: Sent): Fee {
  const fee = feeOf(receipt)
  if (unsigned === '') return fee
  const { gas = 0n, maxFeePerGas = 0n } = parseTransaction(unsigned as `0x02${string}`)
  const isSigned = receipt.gasUsed <= gas && (receipt.effectiveGasPrice ?? 0n) <= maxFeePerGas
  if (isSigned && fee.payer === getAddress(signer)) return fee
  throw new WrongNodeError(`gave a receipt of ${receipt.transactionHash} with another sender or fee than was signed`)
}

async function fateOf(seen: Seen, signed: SignedTransaction): Promise<Fate> {
  const { txHash, sender, nonce } = signed
  const included = fateBy(await outcomeOf(seen, signed))
  if (included) return included
  if (nonce === null) return open('Its nonce is not known')
  const taker = await findTaker(seen, sender, nonce)
  if (taker === null) return open(`No final transaction has its nonce ${nonce}`)
  if (taker === 'hidden') return open(`Its nonce ${nonce} is spent, and the node does not show by what`)
  if (taker.hash === txHash) return open('A block holds it, and the node does not show its receipt')
  return { fate: 'dead', reason: `Its nonce ${nonce} was taken by ${taker.hash}` }
}

const open = (reason: string): Fate => ({ fate: 'open', reason })

/**
 * Simulates a reverted transaction again to find the reason: after its block, since earlier transactions in it may be
 * the cause, else before it.
 */
async function reasonOf(client: NodeClient, { transactionHash, blockNumber }: TransactionReceipt): Promise<string> {
  const { from, to, input, value, gas } = await getTransaction(client, { hash: transactionHash })
  if (!to) return noReason
  for (const block of [blockNumber, blockNumber - 1n]) {
    try {
      await call(client, { account: from, to, data: input, value, gas, blockNumber: block })
    } catch (error) {
      return revertReason(error) ?? noReason
    }
  }
  return noReason
}

const noReason = 'execution reverted'

/**
 * The same with fees raised by an eighth, the minimum that nodes require, or to the current level. Null when the sender
 * cannot pay that: nodes would refuse it, and the cheaper one would not be broadcast any more. Null as well for fees far
 * above that level: it waits for another reason, and the raised tip is paid in full once that is over.
 */
async function dearer(client: NodeClient, attempt: Attempt, keepsGas: boolean): Promise<Draft | null> {
  const { signers, nonce, expiresAt } = attempt
  const said = parseTransaction(attempt.unsigned as `0x02${string}`)
  const { maxFeePerGas = 0n, maxPriorityFeePerGas = 0n } = said
  const address = getAddress(signers[0] ?? '')
  const [usual, held, gas] = await Promise.all([
    suggestFees(client),
    getBalance(client, { address }),
    keepsGas ? said.gas : enoughGas(client, address, said),
  ])
  const isHigh = maxFeePerGas >= mostRaised * usual.maxFeePerGas && maxPriorityFeePerGas >= usual.maxPriorityFeePerGas
  if (isHigh && gas === said.gas) return null
  const raised = (fee: bigint, now: bigint): bigint => {
    const higher = (fee * 9n) / 8n + 1n
    return higher > now ? higher : now
  }
  const unsigned = serializeTransaction({
    ...said,
    type: 'eip1559',
    gas,
    maxFeePerGas: raised(maxFeePerGas, usual.maxFeePerGas),
    maxPriorityFeePerGas: raised(maxPriorityFeePerGas, usual.maxPriorityFeePerGas),
  })
  return costOf({ unsigned }) > held ? null : { unsigned, signers, nonce, expiresAt }
}

/** How many times the usual fee is high enough. */
const mostRaised = 4n

/** Its gas limit, or a new one where that is too little: nodes would never take it, and its nonce holds up all others. */
async function enoughGas(
  client: NodeClient,
  account: Address,
  { to, data, value, gas = 0n }: TransactionSerializableEIP1559,
): Promise<bigint> {
  const needed = await estimateGas(client, { account, to, data, value }).catch((error: unknown) => {
    // It would be reverted now, or its sender lacks the coins.
    if (isAnswered(error)) return 0n
    throw error
  })
  if (needed <= gas || needed > mostGas) return gas
  const limit = limitOf(needed, data !== undefined)
  if (limit > mostGas) return mostGas
  return limit
}
