import type { OrderRow } from '../orders/orders'
import {
  associatedAddress,
  associatedTokenProgram,
  token2022Program,
  tokenProgram,
} from '../token-accounts/associated-address'
import { type Instruction, parseSolanaMessage } from './solana-message'

const programs = {
  system: '11111111111111111111111111111111',
  budget: 'ComputeBudget111111111111111111111111111111',
  associated: associatedTokenProgram,
  token: tokenProgram,
  token2022: token2022Program,
  memo: 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr',
} as const

/** A transaction has at most 1232 bytes, which are 1644 characters. */
const mostCharacters = 1644
const lamportsPerSignature = 5000n
const unitsPerInstruction = 200_000n
const mostUnits = 1_400_000n

/** A Solana message that matches its order. */
export interface SolanaTransaction {
  /** What the keys sign. */
  message: Uint8Array
  blockhash: string
  /** The signers, in the order of their signatures. */
  signers: readonly string[]
}

/** Parses a compiled message; returns the problem if it does not match its order. */
export async function readSolanaTransaction(
  unsigned: string,
  order: OrderRow,
  mostFee: bigint,
): Promise<SolanaTransaction | { problem: string }> {
  if (unsigned.length > mostCharacters) return { problem: 'it is larger than a Solana transaction can be' }
  const message = Buffer.from(unsigned, 'base64')
  const parsed = await parseSolanaMessage(message)
  if (!parsed) return { problem: 'it is no Solana message, or one with address lookup tables' }
  const { blockhash, signers, instructions } = parsed
  const payers = new Set([order.feePayer ?? order.payer, order.payer])
  if (signers[0] !== (order.feePayer ?? order.payer)) return { problem: `its fee is paid by ${signers[0]}` }
  if (signers.length !== payers.size || !signers.every((each) => payers.has(each))) {
    return { problem: 'others than the paying addresses are to sign it' }
  }
  const problem = feeProblem(instructions, signers.length, mostFee) ?? (await contentProblem(instructions, order))
  return problem === null ? { message, blockhash, signers } : { problem }
}

function feeProblem(instructions: readonly Instruction[], signatures: number, mostFee: bigint): string | null {
  let units = unitsPerInstruction * BigInt(instructions.length)
  let price = 0n
  for (const { program, data } of instructions) {
    if (program !== programs.budget) continue
    const bytes = Buffer.from(data)
    if (bytes[0] === 2 && bytes.length === 5) units = BigInt(bytes.readUInt32LE(1))
    else if (bytes[0] === 3 && bytes.length === 9) price = bytes.readBigUInt64LE(1)
    else return 'its compute budget holds something else than a limit and a price'
  }
  const priority = ((units < mostUnits ? units : mostUnits) * price) / 1_000_000n
  const fee = lamportsPerSignature * BigInt(signatures) + priority
  return fee > mostFee ? `its fee may be ${fee} lamports, above WALLET_MAX_SOLANA_FEE` : null
}

/** Requires exactly one transfer of the order's amount to its destination, and only instructions that belong to it. */
async function contentProblem(instructions: readonly Instruction[], order: OrderRow): Promise<string | null> {
  let transfers = 0
  for (const instruction of instructions) {
    const { program } = instruction
    if (program === programs.budget || program === programs.memo) continue
    if (program === programs.associated) {
      if (!(await isOwnTokenAccount(instruction, order))) return 'it makes a token account for somebody else'
      continue
    }
    const isRight =
      program === programs.system ? isCoinTransfer(instruction, order) : await isTokenTransfer(instruction, order)
    if (!isRight) return 'it holds an instruction that is not the order’s transfer'
    transfers += 1
  }
  return transfers === 1 ? null : `it holds ${transfers} transfers`
}

function isCoinTransfer(
  { accounts, data }: Instruction,
  { contractAddress, payer, destination, amount }: OrderRow,
): boolean {
  const bytes = Buffer.from(data)
  const isTransfer = bytes.length === 12 && bytes.readUInt32LE(0) === 2 && bytes.readBigUInt64LE(4) === amount
  return contractAddress === null && isTransfer && accounts[0] === payer && accounts[1] === destination
}

/** TransferChecked of SPL Token: from the payer's associated account to the destination's. */
async function isTokenTransfer({ program, accounts, data }: Instruction, order: OrderRow): Promise<boolean> {
  const { contractAddress: mint, payer, destination, amount, decimals } = order
  if ((program !== programs.token && program !== programs.token2022) || mint === null || payer === null) return false
  const bytes = Buffer.from(data)
  const isTransfer =
    bytes.length === 10 && bytes[0] === 12 && bytes.readBigUInt64LE(1) === amount && bytes[9] === decimals
  const [source, ofMint, target, authority, ...others] = accounts
  const targets = [destination, await associatedAddress(destination, mint, program)]
  return (
    isTransfer &&
    others.length === 0 &&
    source === (await associatedAddress(payer, mint, program)) &&
    ofMint === mint &&
    authority === payer &&
    target !== undefined &&
    targets.includes(target)
  )
}

/** Create, or CreateIdempotent, of the destination's associated account. */
async function isOwnTokenAccount({ accounts, data }: Instruction, order: OrderRow): Promise<boolean> {
  const [payer, account, owner, mint, system, program] = accounts
  const isCreate = data.length === 0 || (data.length === 1 && (data[0] === 0 || data[0] === 1))
  if (!isCreate || order.contractAddress === null || mint !== order.contractAddress) return false
  if (program !== programs.token && program !== programs.token2022) return false
  const isPaidByUs = payer === order.payer || payer === order.feePayer
  const isTheirs = owner === order.destination && account === (await associatedAddress(owner, mint, program))
  return isPaidByUs && isTheirs && system === programs.system
}
