import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import type { ChainTransfer } from '../network'
import { WrongNodeError } from '../node-failure'
import { type InstructionTransfer, type RawInstruction, readInstructionTransfers } from './instruction-transfers'

/** The parts of a transaction's record from which movements are read (getTransaction, encoding json). */
export interface TransactionRecord {
  slot: bigint
  blockTime: bigint | null
  transaction: {
    signatures: readonly string[]
    message: { accountKeys: readonly string[]; instructions: readonly RawInstruction[] }
  }
  meta: {
    err: unknown
    fee: bigint
    preBalances: readonly bigint[]
    postBalances: readonly bigint[]
    loadedAddresses?: { writable: readonly string[]; readonly: readonly string[] } | undefined
    preTokenBalances?: readonly TokenBalance[] | undefined
    postTokenBalances?: readonly TokenBalance[] | undefined
    /** Instructions of programs called by those of the message. */
    innerInstructions?: readonly { instructions: readonly RawInstruction[] }[] | null | undefined
  } | null
}

interface TokenBalance {
  accountIndex: number
  mint: string
  owner?: string | undefined
  uiTokenAmount: { amount: string; decimals: number }
}

/** A holder whose balance of one asset changed. */
interface Change {
  /** The account's place. */
  index: number
  holder: string
  /** The account that holds it. */
  account: string
  contractAddress: string | null
  decimals: number
  by: bigint
}

export type Movement = Omit<ChainTransfer, 'decimals'> & {
  decimals: number
  toAccount: string | null
  fromAccount: string | null
}

/**
 * The movements of a transaction, by the balances before and after it: whoever has more of an asset received it, from
 * the source in the instructions. Nothing for a failed one. The fee is not a movement.
 */
export function readMovements(record: TransactionRecord): Movement[] {
  const keys = keysOf(record)
  const inner = (record.meta?.innerInstructions ?? []).flatMap(({ instructions }) => instructions)
  const transfers = readInstructionTransfers(keys, [...record.transaction.message.instructions, ...inner])
  const changes = changesOf(record)
  const got = changes.filter(({ by }) => by > 0n)
  return got.map((change) => {
    const { holder, account, contractAddress, decimals, by } = change
    const { from, fromAccount } = senderOf(record, keys, transfers, changes, change)
    const place = { ...placeOf(record), logIndex: logIndexOf(change), side: 'in' as const }
    return { ...place, toAccount: account, fromAccount, from, to: holder, contractAddress, decimals, amount: by }
  })
}

/**
 * The losses of each holder: several may have paid one receiver, and burned amounts have no receiver. The receiver is
 * the holder with the largest gain of the asset (the mint when there is none).
 */
export function readLosses(record: TransactionRecord): Movement[] {
  const changes = changesOf(record)
  const given = changes.filter(({ by }) => by < 0n)
  return given.map((change) => {
    const { holder, account, contractAddress, decimals, by } = change
    const takers = changes.filter((other) => other.contractAddress === contractAddress && other.by > 0n)
    const taker = takers.toSorted((a, b) => (a.by > b.by ? -1 : 1))[0]
    const to = taker?.holder ?? contractAddress ?? SYSTEM_PROGRAM_ADDRESS
    const place = { ...placeOf(record), logIndex: logIndexOf(change), side: 'out' as const }
    return { ...place, toAccount: null, fromAccount: account, from: holder, to, contractAddress, decimals, amount: -by }
  })
}

/**
 * Fails when a record lacks balances, or owners of those of tokens: what is missing before would count as received, and after
 * as gone.
 */
export function requireBalances(record: TransactionRecord): TransactionRecord {
  const { preBalances, postBalances, preTokenBalances, postTokenBalances } = record.meta ?? {}
  const accounts = keysOf(record).length
  const ofCoins = [preBalances, postBalances].every((all) => all?.length === accounts)
  const ofTokens = [preTokenBalances, postTokenBalances].every((all) => all?.every(({ owner }) => owner))
  if (ofCoins && ofTokens) return record
  throw new WrongNodeError('gave a transaction without all of its balances')
}

/** Twice the position of the account, 1 more for tokens (contracts, DepositConfirmed). */
const logIndexOf = ({ index, contractAddress }: Change): number => 2 * index + (contractAddress === null ? 0 : 1)

const placeOf = ({ transaction, slot, blockTime }: TransactionRecord) => ({
  txHash: transaction.signatures[0] ?? '',
  block: Number(slot),
  blockHash: String(slot),
  at: new Date(Number(blockTime ?? 0n) * 1000),
})

/** The balance changes of each holder; nothing for a failed transaction. */
function changesOf(record: TransactionRecord): Change[] {
  if (!record.meta || record.meta.err) return []
  return [...coinChanges(record), ...netByHolder(tokenChanges(record))]
}

/**
 * Amounts between accounts of one holder did not move: the net change is reported at the account that changed the most.
 */
function netByHolder(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes, ({ holder, contractAddress }) => `${holder} ${contractAddress}`)
  return [...groups.values()].flatMap((group) => {
    const by = group.reduce((sum, change) => sum + change.by, 0n)
    const [most] = group.toSorted((a, b) => (by < 0n ? Number(a.by - b.by) : Number(b.by - a.by)))
    return most && by !== 0n ? [{ ...most, by }] : []
  })
}

/**
 * The source of a gain: that of the instruction that moved most to this account. For a token
 * account its owner. Without such an instruction, since some programs write balances directly, the only holder that
 * has less of it; with several candidates the signer of the transaction. If nobody has
 * less of it, its mint.
 */
function senderOf(
  record: TransactionRecord,
  keys: readonly string[],
  transfers: readonly InstructionTransfer[],
  changes: readonly Change[],
  { index, holder, contractAddress }: Change,
): { from: string; fromAccount: string | null } {
  const isToken = contractAddress !== null
  const [transfer] = transfers
    .filter((each) => each.isToken === isToken && each.to === index && each.from !== index)
    .toSorted((a, b) => (a.amount > b.amount ? -1 : 1))
  if (transfer) {
    const fromAccount = keys[transfer.from] ?? null
    const owner = ownerOf(record, transfer.from) ?? (isToken ? keys[transfer.authority] : fromAccount)
    // An amount from an account of the same holder: nobody pays itself.
    const isOwn = !isToken && owner === holder
    return { from: (isOwn ? fromAccount : owner) ?? holder, fromAccount }
  }
  const senders = changes.filter((change) => change.contractAddress === contractAddress && change.by < 0n)
  const [only, ...others] = senders
  if (!only) return { from: contractAddress ?? holder, fromAccount: null }
  if (others.length === 0) return { from: only.holder, fromAccount: only.account }
  return { from: keys[0] ?? only.holder, fromAccount: null }
}

const ownerOf = ({ meta }: TransactionRecord, index: number): string | undefined =>
  [...(meta?.preTokenBalances ?? []), ...(meta?.postTokenBalances ?? [])].find(
    ({ accountIndex }) => accountIndex === index,
  )?.owner

const keysOf = ({ transaction, meta }: TransactionRecord): string[] => [
  ...transaction.message.accountKeys,
  ...(meta?.loadedAddresses?.writable ?? []),
  ...(meta?.loadedAddresses?.readonly ?? []),
]

function coinChanges(record: TransactionRecord): Change[] {
  const { meta } = record
  if (!meta) return []
  return keysOf(record).flatMap((key, i) => {
    const fee = i === 0 ? meta.fee : 0n
    const by = (meta.postBalances[i] ?? 0n) - (meta.preBalances[i] ?? 0n) + fee
    return by === 0n ? [] : [{ index: i, holder: key, account: key, contractAddress: null, decimals: 9, by }]
  })
}

function tokenChanges(record: TransactionRecord): Change[] {
  const keys = keysOf(record)
  const before = new Map((record.meta?.preTokenBalances ?? []).map((balance) => [balance.accountIndex, balance]))
  const after = new Map((record.meta?.postTokenBalances ?? []).map((balance) => [balance.accountIndex, balance]))
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((index) => {
    const balance = after.get(index) ?? before.get(index)
    const by = amountOf(after.get(index)) - amountOf(before.get(index))
    if (!balance?.owner || by === 0n) return []
    const { mint, owner, uiTokenAmount } = balance
    return [
      {
        index,
        holder: owner,
        account: keys[index] ?? '',
        contractAddress: mint,
        decimals: uiTokenAmount.decimals,
        by,
      },
    ]
  })
}

const amountOf = (balance: TokenBalance | undefined): bigint => BigInt(balance?.uiTokenAmount.amount ?? 0)
