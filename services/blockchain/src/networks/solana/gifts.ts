import { base58 } from '@scure/base'
import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { tokenPrograms } from './token-programs'

/** An instruction as getTransaction tells it: accounts by their places. */
export interface RawInstruction {
  programIdIndex: number
  accounts: readonly number[]
  /** Base58. */
  data: string
}

/** What one instruction moved from an account to another one. Accounts by their places. */
export interface Gift {
  isToken: boolean
  from: number
  to: number
  /** Who signed for it; of a token its owner, or whom the owner let. */
  authority: number
  amount: bigint
}

/** Where an instruction that moves something names the accounts, by its program's number of it. */
interface Layout {
  from: number
  to: number
  authority: number
  /** Where in its data the amount begins; null where it says none. */
  amountAt: number | null
}

/** The system program: createAccount, transfer, transferWithSeed. Its numbers have four bytes, of which one is enough. */
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

/** What the instructions of a transaction moved from account to account. */
export function readGifts(keys: readonly string[], instructions: readonly RawInstruction[]): Gift[] {
  return instructions.flatMap(({ programIdIndex, accounts, data }) => {
    const program = keys[Number(programIdIndex)] ?? ''
    const bytes = base58.decode(data)
    const isToken = tokenPrograms.some((each) => each === program)
    const [number = -1] = bytes
    if (isToken && number === closing[0]) return giftOf(closing[1], { isToken: false, accounts, bytes })
    const layouts = isToken ? ofTokens : program === SYSTEM_PROGRAM_ADDRESS ? ofCoins : undefined
    const layout = layouts?.get(number)
    if (!layout || (number === 26 && bytes[1] !== 1)) return []
    return giftOf(layout, { isToken, accounts, bytes })
  })
}

function giftOf(
  { from, to, authority, amountAt }: Layout,
  { isToken, accounts, bytes }: { isToken: boolean; accounts: readonly number[]; bytes: Uint8Array },
): Gift[] {
  const [giver, receiver, signer] = [from, to, authority].map((place) => accounts[place])
  if (giver === undefined || receiver === undefined || signer === undefined) return []
  const amount = amountAt === null ? 0n : readAmount(bytes, amountAt)
  return [{ isToken, from: Number(giver), to: Number(receiver), authority: Number(signer), amount }]
}

const readAmount = (bytes: Uint8Array, at: number): bigint =>
  bytes.length < at + 8 ? 0n : new DataView(bytes.buffer, bytes.byteOffset + at, 8).getBigUint64(0, true)
