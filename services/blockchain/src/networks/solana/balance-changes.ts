import type { ChainTransfer } from '../network'

/** What of a transaction's record the movements are read from (getTransaction, encoding json). */
export interface TransactionRecord {
  slot: bigint
  blockTime: bigint | null
  transaction: { signatures: readonly string[]; message: { accountKeys: readonly string[] } }
  meta: {
    err: unknown
    fee: bigint
    preBalances: readonly bigint[]
    postBalances: readonly bigint[]
    loadedAddresses?: { writable: readonly string[]; readonly: readonly string[] } | undefined
    preTokenBalances?: readonly TokenBalance[] | undefined
    postTokenBalances?: readonly TokenBalance[] | undefined
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
  /** Twice the account's place, for tokens 1 more. */
  logIndex: number
  holder: string
  /** Of the account in which it is held. */
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
 * What a transaction moved, by the balances before and after it: whoever has more of an asset got it, from whom has the
 * most less of it (from the mint when nobody has). Nothing for one that failed. The fee is no movement.
 */
export function readMovements(record: TransactionRecord): Movement[] {
  const changes = changesOf(record)
  const got = changes.filter(({ by }) => by > 0n)
  return got.map(({ logIndex, holder, account, contractAddress, decimals, by }) => {
    const givers = changes.filter((change) => change.contractAddress === contractAddress && change.by < 0n)
    const giver = givers.toSorted((a, b) => (a.by < b.by ? -1 : 1))[0]
    const from = giver?.holder ?? contractAddress ?? holder
    const accounts = { toAccount: account, fromAccount: giver?.account ?? null }
    const side = 'in' as const
    return { ...placeOf(record), ...accounts, side, logIndex, from, to: holder, contractAddress, decimals, amount: by }
  })
}

/**
 * What each holder gave, whoever got it: several may have given what one got, and what was burned nobody got. It is said
 * to have gone to whom has got the most of the asset (to the mint when nobody has).
 */
export function readLosses(record: TransactionRecord): Movement[] {
  const changes = changesOf(record)
  const given = changes.filter(({ by }) => by < 0n)
  return given.map(({ logIndex, holder, account, contractAddress, decimals, by }) => {
    const takers = changes.filter((change) => change.contractAddress === contractAddress && change.by > 0n)
    const taker = takers.toSorted((a, b) => (a.by > b.by ? -1 : 1))[0]
    const to = taker?.holder ?? contractAddress ?? systemProgram
    const accounts = { toAccount: null, fromAccount: account }
    const side = 'out' as const
    return { ...placeOf(record), ...accounts, side, logIndex, from: holder, to, contractAddress, decimals, amount: -by }
  })
}

const systemProgram = '1'.repeat(32)

const placeOf = ({ transaction, slot, blockTime }: TransactionRecord) => ({
  txHash: transaction.signatures[0] ?? '',
  block: Number(slot),
  blockHash: String(slot),
  at: new Date(Number(blockTime ?? 0n) * 1000),
})

/** What each holder has more or less of after the transaction; nothing for one that failed. */
function changesOf(record: TransactionRecord): Change[] {
  if (!record.meta || record.meta.err) return []
  return [...coinChanges(record), ...netByHolder(tokenChanges(record))]
}

/** What went between the accounts of one holder has not moved: the rest is told at the account that changed the most. */
function netByHolder(changes: readonly Change[]): Change[] {
  const groups = Map.groupBy(changes, ({ holder, contractAddress }) => `${holder} ${contractAddress}`)
  return [...groups.values()].flatMap((group) => {
    const by = group.reduce((sum, change) => sum + change.by, 0n)
    const [most] = group.toSorted((a, b) => (by < 0n ? Number(a.by - b.by) : Number(b.by - a.by)))
    return most && by !== 0n ? [{ ...most, by }] : []
  })
}

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
    return by === 0n ? [] : [{ logIndex: 2 * i, holder: key, account: key, contractAddress: null, decimals: 9, by }]
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
        logIndex: 2 * index + 1,
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
