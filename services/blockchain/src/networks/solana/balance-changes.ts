import type { ChainTransfer } from '../network'
import { type Gift, type RawInstruction, readGifts } from './gifts'

/** What of a transaction's record the movements are read from (getTransaction, encoding json). */
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
    /** Of the programs that those of the message have called. */
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
  /** Of the account in which it is held. */
  account: string
  contractAddress: string | null
  decimals: number
  by: bigint
}

export type Movement = Omit<ChainTransfer, 'decimals'> & {
  decimals: number
  toAccount: string
  fromAccount: string | null
}

/**
 * What a transaction moved, by the balances before and after it: whoever has more of an asset got it, from whom the
 * instructions say that it came. Nothing for one that failed. The fee is no movement.
 */
export function readMovements(record: TransactionRecord): Movement[] {
  const { meta, transaction, slot, blockTime } = record
  if (!meta || meta.err) return []
  const place = {
    txHash: transaction.signatures[0] ?? '',
    block: Number(slot),
    blockHash: String(slot),
    at: new Date(Number(blockTime ?? 0n) * 1000),
  }
  const keys = keysOf(record)
  const inner = (meta.innerInstructions ?? []).flatMap(({ instructions }) => instructions)
  const gifts = readGifts(keys, [...transaction.message.instructions, ...inner])
  const changes = [...coinChanges(record), ...tokenChanges(record)]
  const got = changes.filter(({ by }) => by > 0n)
  return got.map((change) => {
    const { index, holder, account, contractAddress, decimals, by } = change
    const { from, fromAccount } = giverOf(record, keys, gifts, changes, change)
    const logIndex = 2 * index + (contractAddress === null ? 0 : 1)
    return {
      ...place,
      toAccount: account,
      fromAccount,
      logIndex,
      from,
      to: holder,
      contractAddress,
      decimals,
      amount: by,
    }
  })
}

/**
 * From whom something came: of the instructions that moved it to this account the one that moved most says it. Of a token
 * account its owner. Without any, for some programs write balances themselves, the only one who
 * has less of it; of several nobody can be told apart, and whoever signed for the transaction is named. What nobody has
 * less of comes from its mint.
 */
function giverOf(
  record: TransactionRecord,
  keys: readonly string[],
  gifts: readonly Gift[],
  changes: readonly Change[],
  { index, holder, contractAddress }: Change,
): { from: string; fromAccount: string | null } {
  const isToken = contractAddress !== null
  const [gift] = gifts
    .filter((each) => each.isToken === isToken && each.to === index && each.from !== index)
    .toSorted((a, b) => (a.amount > b.amount ? -1 : 1))
  if (gift) {
    const fromAccount = keys[gift.from] ?? null
    const owner = ownerOf(record, gift.from) ?? (isToken ? keys[gift.authority] : fromAccount)
    return { from: owner ?? holder, fromAccount }
  }
  const givers = changes.filter((change) => change.contractAddress === contractAddress && change.by < 0n)
  const [only, ...others] = givers
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
