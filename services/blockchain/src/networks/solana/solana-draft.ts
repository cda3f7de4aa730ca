import { formatAmount } from '@bursar/money'
import {
  type Address,
  address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  getBase64Decoder,
  getBase64EncodedWireTransaction,
  getBase64Encoder,
  getTransactionDecoder,
  type Transaction,
} from '@solana/kit'
import { tokenKey } from '../comparable'
import type { Drafted, DraftRequest, SendOrder } from '../network'
import { compileOrder, type Mint, tokenAccountOf } from './message'
import type { SolanaRpc } from './solana-rpc'
import { tokenPrograms } from './token-programs'

/** The life of a blockhash in blocks. */
export const lifetimeBlocks = 150n

const commitment = 'confirmed'

/** Builds the orders' transactions. Transactions that the node predicts to fail are refused. */
export async function draftSolana(rpc: SolanaRpc, { orders, inFlight }: DraftRequest): Promise<Drafted[]> {
  const [{ value: latest }, height] = await Promise.all([
    rpc.getLatestBlockhash({ commitment }).send(),
    rpc.getBlockHeight({ commitment }).send(),
  ])
  const promised = new Map<string, bigint>()
  for (const { order } of inFlight) promise(promised, order)
  const drafted: Drafted[] = []
  for (const order of orders) {
    const shortage = order.transactionData ? null : await shortageOf(rpc, order, promised)
    drafted.push(shortage ?? (await draftOne(rpc, order, latest, height + lifetimeBlocks)))
    promise(promised, order)
  }
  return drafted
}

type Lifetime = { blockhash: Blockhash; lastValidBlockHeight: bigint }

async function draftOne(rpc: SolanaRpc, order: SendOrder, latest: Lifetime, own: bigint): Promise<Drafted> {
  const built = order.transactionData
    ? portfolioTransaction(order.transactionData)
    : await paymentTransaction(rpc, order, latest)
  if (typeof built === 'string') return { refused: built }
  const problem = await failureOf(rpc, built, order.transactionData === null)
  if (problem !== null) return { refused: problem }
  const signers = Object.keys(built.signatures)
  return {
    draft: {
      unsigned: getBase64Decoder().decode(built.messageBytes),
      signers,
      nonce: null,
      // A portfolio's own blockhash is older, so it expires earlier.
      expiresAt: Number(order.transactionData ? own : latest.lastValidBlockHeight),
    },
  }
}

async function paymentTransaction(rpc: SolanaRpc, order: SendOrder, latest: Lifetime): Promise<Transaction | string> {
  if (order.contractAddress === null) return await compileOrder(order, null, false, latest)
  const mint = await findMint(rpc, order.contractAddress)
  if (!mint) return `${order.contractAddress} is not a token`
  const receiver = await ownerProgram(rpc, order.toAddress)
  return await compileOrder(order, mint, receiver === mint.program, latest)
}

/** A portfolio's own transaction, whose message is passed unchanged; a text with the reason if there is none. */
function portfolioTransaction({ transaction }: Record<string, unknown>): Transaction | string {
  try {
    return getTransactionDecoder().decode(getBase64Encoder().encode(String(transaction)))
  } catch {
    return 'transactionData.transaction is not a Solana transaction in base64'
  }
}

/** Why the transaction would fail; null when it would not. */
async function failureOf(
  rpc: SolanaRpc,
  transaction: Transaction,
  replaceRecentBlockhash: boolean,
): Promise<string | null> {
  const wire: Base64EncodedWireTransaction = getBase64EncodedWireTransaction(transaction)
  const options = { commitment, encoding: 'base64', sigVerify: false } as const
  const { value } = replaceRecentBlockhash
    ? await rpc.simulateTransaction(wire, { ...options, replaceRecentBlockhash: true }).send()
    : await rpc.simulateTransaction(wire, options).send()
  if (!value.err) return null
  const said = value.logs?.findLast((line) => /error|failed|insufficient/i.test(line))
  return `the transaction would fail: ${errorText(value.err)}${said ? ` (${said.slice(0, 300)})` : ''}`
}

/** An error of the network as text; its numbers may be bigints, which JSON does not support. */
export const errorText = (error: unknown): string =>
  typeof error === 'string'
    ? error
    : JSON.stringify(error, (_, value) => (typeof value === 'bigint' ? Number(value) : value))

async function findMint(rpc: SolanaRpc, text: string): Promise<Mint | null> {
  const program = await ownerProgram(rpc, text)
  return program !== null && tokenPrograms.includes(program) ? { address: address(text), program } : null
}

/** The program that an account belongs to; null if it does not exist. */
async function ownerProgram(rpc: SolanaRpc, text: string): Promise<Address | null> {
  const { value } = await rpc.getAccountInfo(address(text), { commitment, encoding: 'base64' }).send()
  return value?.owner ?? null
}

/** An order's shortage: absolute, or temporary because of other orders. Fees are checked by simulation. */
async function shortageOf(
  rpc: SolanaRpc,
  order: SendOrder,
  promised: ReadonlyMap<string, bigint>,
): Promise<Drafted | null> {
  const held = await heldBy(rpc, order)
  const words = `${order.fromAddress} holds ${formatAmount(held, order.decimals)}, and ${formatAmount(order.amount, order.decimals)} is to be sent`
  if (held < order.amount) return { refused: `insufficient funds: ${words}` }
  const free = held - (promised.get(purseOf(order)) ?? 0n)
  return free < order.amount ? { waiting: `${words}, but others come first` } : null
}

async function heldBy(rpc: SolanaRpc, order: SendOrder): Promise<bigint> {
  const owner = address(order.fromAddress)
  if (order.contractAddress === null) return (await rpc.getBalance(owner, { commitment }).send()).value
  const mint = await findMint(rpc, order.contractAddress)
  if (!mint) return order.amount
  const { value } = await rpc
    .getTokenAccountsByOwner(owner, { mint: mint.address }, { commitment, encoding: 'jsonParsed' })
    .send()
  const own = await tokenAccountOf(owner, mint)
  return value.reduce(
    (sum, { pubkey, account }) => (pubkey === own ? sum + BigInt(account.data.parsed.info.tokenAmount.amount) : sum),
    0n,
  )
}

const purseOf = ({ fromAddress, contractAddress }: SendOrder): string => `${fromAddress} ${tokenKey(contractAddress)}`

function promise(promised: Map<string, bigint>, order: SendOrder): void {
  promised.set(purseOf(order), (promised.get(purseOf(order)) ?? 0n) + order.amount)
}
