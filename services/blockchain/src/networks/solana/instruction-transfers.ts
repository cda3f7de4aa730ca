import { base58 } from '@scure/base'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { tokenPrograms } from './token-programs'

/** An instruction of getTransaction: accounts by index. */
export interface RawInstruction {
  programIdIndex: number
  accounts: readonly number[]
  /** Base58. */
  data: string
}

/** A movement between accounts by one instruction. Accounts by index. */
export interface InstructionTransfer {
  isToken: boolean
  from: number
  to: number
  /** The signer; for a token its owner or delegate. */
  authority: number
  amount: bigint
}

/** The positions of accounts in an instruction, by the program's instruction number. */
interface Layout {
  from: number
  to: number
  authority: number
  /** The offset of the amount in its data; null if there is none. */
  amountAt: number | null
}

/**
 * The system program: createAccount, transfer, transferWithSeed. Its instruction numbers have four bytes, of which one
 * is enough.
 */
const ofCoins = new Map<number, Layout>([
  [0, { from: 0, to: 1, authority: 0, amountAt: 4 }],
  [2, { from: 0, to: 1, authority: 0, amountAt: 4 }],
  [11, { from: 0, to: 2, authority: 1, amountAt: 4 }],
])
/** Both token programs: transfer, transferChecked; transferCheckedWithFee, which is the second of extension 26. */
const ofTokens = new Map<number, Layout>([
  [3, { from: 0, to: 1, authority: 2, amountAt: 1 }],
  [12, { from: 0, to: 2, authority: 3, amountAt: 1 }],
  [26, { from: 0, to: 2, authority: 3, amountAt: 2 }],
])
/** closeAccount of a token program: its lamports go to another account. */
const closing: [number, Layout] = [9, { from: 0, to: 1, authority: 2, amountAt: null }]

/** The movements between accounts by the instructions of a transaction. */
export function readInstructionTransfers(
  keys: readonly string[],
  instructions: readonly RawInstruction[],
): InstructionTransfer[] {
  return instructions.flatMap(({ programIdIndex, accounts, data }) => {
    const program = keys[Number(programIdIndex)] ?? ''
    const bytes = base58.decode(data)
    const isToken = tokenPrograms.some((each) => each === program)
    const [number = -1] = bytes
    if (isToken && number === closing[0]) return transferOf(closing[1], { isToken: false, accounts, bytes })
    const layouts = isToken ? ofTokens : program === SYSTEM_PROGRAM_ADDRESS ? ofCoins : undefined
    const layout = layouts?.get(number)
    if (!layout || (number === 26 && bytes[1] !== 1)) return []
    return transferOf(layout, { isToken, accounts, bytes })
  })
}

function transferOf(
  { from, to, authority, amountAt }: Layout,
  { isToken, accounts, bytes }: { isToken: boolean; accounts: readonly number[]; bytes: Uint8Array },
): InstructionTransfer[] {
  const [sender, receiver, signer] = [from, to, authority].map((place) => accounts[place])
  if (sender === undefined || receiver === undefined || signer === undefined) return []
  const amount = amountAt === null ? 0n : readAmount(bytes, amountAt)
  return [{ isToken, from: Number(sender), to: Number(receiver), authority: Number(signer), amount }]
}

const readAmount = (bytes: Uint8Array, at: number): bigint =>
  bytes.length < at + 8 ? 0n : new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigUint64(0, true)
