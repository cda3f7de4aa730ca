import type { Network, SignatureFate, SignedBefore } from '@bursar/contracts/blockchain'

/** What a deployment says of a network. */
export interface NetworkSettings extends Network {
  /** The form of its addresses and hashes, which a simulated network shares with the real one of its name. */
  form: 'evm' | 'solana' | 'free'
  /** What the node must say of itself: the EIP-155 number, or Solana's genesis hash; null where nothing is asked. */
  identity: string | null
  /** How many blocks must hold a transaction, its own included, until it is final. Solana has `finalized` instead. */
  confirmations: number
  rpcUrls: readonly string[]
  /** How long a node may take for an answer. */
  timeoutMs: number
  /** The pause between two looks at the network. */
  pollMs: number
  /** Up to so many watched addresses what contracts pay them is seen by their balances, where a node has no traces. */
  balanceWatch?: number
  /** How long a transaction may wait for its block before its fee is raised. */
  stuckAfterMs: number
}

/** A token as it is known here. `contractAddress` is null for the native coin. */
export interface Token {
  contractAddress: string | null
  code: string
  decimals: number
}

/** A token whose balance is asked for. Null: the chain says its decimals, or it has 0. */
export type HeldToken = Pick<Token, 'contractAddress'> & { decimals: number | null }

export interface Holding {
  contractAddress: string | null
  amount: bigint
  decimals: number
}

/** One movement of one asset, as a network tells of it. Amounts are in the smallest unit. */
export interface ChainTransfer {
  txHash: string
  /**
   * Its place in the transaction. EVM: 0 for the native coin, 1 + the position among the transaction's own logs for tokens.
   * Solana: twice the position of the account, 1 more for tokens.
   */
  logIndex: number
  from: string
  to: string
  contractAddress: string | null
  amount: bigint
  /** Null where the network does not say: the token's own are taken then. */
  decimals: number | null
  block: number
  blockHash: string
  at: Date
  /** Networks that tell what an account got apart from what it gave say which this is; else it is both. */
  side?: 'in' | 'out'
}

/** A transaction on a network. */
export interface ChainTransaction {
  txHash: string
  /** `pending`: in no final block. */
  status: 'pending' | 'confirmed' | 'failed'
  /** Why it failed; null where the network does not say. */
  reason: string | null
  /** Null while no block holds it. */
  block: number | null
  confirmations: number
  at: Date | null
  from: string[]
  to: string[]
  transfers: ToldTransfer[]
  /** What each holder gave, where the network tells that apart from what each got; else the transfers say both. */
  losses?: ToldTransfer[]
}
type ToldTransfer = Pick<ChainTransfer, 'logIndex' | 'from' | 'to' | 'contractAddress' | 'amount' | 'decimals'>

/** A transaction that has been built and waits for its signature. */
export interface Draft {
  /** As `TransactionToSign.unsigned` says. */
  unsigned: string
  signers: string[]
  /** Of the sender's queue; null where the network has none. */
  nonce: number | null
  /** The block height after which no block can hold it; null when that never ends. */
  expiresAt: number | null
}

/** What became of the wish to build a transaction: `refused` for good, or `waiting` until others have gone. */
export type Drafted = { draft: Draft } | { refused: string } | { waiting: string }

/** A signed transaction that was stored, and then perhaps broadcast. */
export interface Attempt extends Draft {
  txHash: string
  signed: string
  createdAt: Date
}

/** How an attempt stands: `absent` from all blocks; `included` in one, but not final; or final. */
export type Outcome =
  | { is: 'absent' }
  | { is: 'included' }
  | { is: 'confirmed'; fee?: Fee }
  /** It is final that it did nothing but cost its fee. */
  | { is: 'reverted'; reason: string; fee?: Fee }

/** What a final transaction cost, in the network's coin; none on a network without fees. */
export interface Fee {
  payer: string
  amount: bigint
}

/** What is to be moved. */
export interface SendOrder {
  id: string
  fromAddress: string
  toAddress: string
  contractAddress: string | null
  amount: bigint
  decimals: number
  feePayer: string | null
  /** A transaction as its owner wants it; null for a payment. */
  transactionData: Record<string, unknown> | null
}

/** What an order's drafts are made for. */
export interface DraftRequest {
  sender: string
  orders: readonly SendOrder[]
  /** The lowest nonce that the queue has not given away; null for a queue that has given none. */
  nextNonce: number | null
  /** The queue has given none since it began, or since a restore: what a node knows as pending has nonces, too. */
  isFirst: boolean
  /** Orders of this sender that may be on the chain already, and are not final. */
  inFlight: readonly { order: SendOrder; attempt: Attempt }[]
}

/** How transactions get onto a network. */
export interface Sending {
  /** One answer for each order, in their order. Rejects when the network cannot be asked. */
  draft(request: DraftRequest): Promise<Drafted[]>
  /** The hash of a signed transaction. Throws when it is another transaction than the draft, or wrongly signed. */
  hashOf(draft: Draft, signed: string): Promise<string>
  /** Hands them over, in their order; what the network has already is passed over. Rejects at the first refusal. */
  broadcast(attempts: readonly Attempt[]): Promise<void>
  /** One outcome for each attempt, in their order. */
  outcomes(attempts: readonly Attempt[]): Promise<Outcome[]>
  /** The same transaction with a higher fee; null where there is no such thing. */
  dearer(attempt: Attempt): Promise<Draft | null>
  /** Whether none of an order's attempts, which are in no block, can ever be in one. */
  lossOf(sender: string, attempts: readonly Attempt[]): Promise<Loss>
  /** What became of signed transactions, one answer for each, by the chain alone. */
  fates(signed: readonly SignedTransaction[]): Promise<Fate[]>
}

/** The hash of the transaction that is recorded here as final with a sender's nonce; null when none is. */
export type RecordedTaker = (sender: string, nonce: number) => Promise<string | null>

/** `lost`: it is proved that no block will ever hold one: another may be made. */
export type Loss = 'none' | 'lost' | { replacement: Omit<Attempt, 'createdAt'> }

/** A signed transaction, and what is known here of its end. */
export interface SignedTransaction extends SignedBefore {
  /** An attempt of this service's that it has handed over, or is about to. */
  isHandedOver: boolean
  /** As its attempt says; null where there is none. */
  expiresAt: number | null
}

export type Fate = Pick<SignatureFate, 'fate' | 'reason'>

/** A block and what of it concerns the watched addresses. */
export interface ScannedBlock {
  number: number
  hash: string
  parentHash: string
}

/** A network that tells block by block. */
export interface BlockSource {
  kind: 'blocks'
  /** How many blocks are read at once. */
  most: number
  /** The number of the newest block. */
  head(): Promise<number>
  /** The hash and the time of a block; null when there is none of that number. */
  blockAt(number: number): Promise<{ hash: string; at: Date } | null>
  /** False: nodes that answer have different blocks of this number. Left out where there is but one to ask. */
  isAgreed?(number: number, hash: string): Promise<boolean>
  /** Blocks in order, and what in them moves to or from the watched (comparable) addresses. */
  read(
    from: number,
    to: number,
    watched: ReadonlySet<string>,
  ): Promise<{ blocks: ScannedBlock[]; transfers: ChainTransfer[] }>
}

/** A network that tells account by account, of final transactions alone. */
export interface AccountSource {
  kind: 'accounts'
  /** The accounts in which an address holds assets, itself first. */
  accountsOf(address: string): Promise<string[]>
  /** What moved to or from one of these accounts after a signature, oldest first, and the newest signature. */
  read(account: string, after: string | null): Promise<{ transfers: ChainTransfer[]; last: string | null }>
}

/** A network in use. Everything rejects with an AppError when its nodes are away, late, or not to be believed. */
export interface Chain {
  readonly settings: NetworkSettings
  readonly sending: Sending
  readonly source: BlockSource | AccountSource
  /** The address in its usual form; null when it is none of this network. */
  address(text: string): string | null
  /** The hash in its usual form; null when it is none of this network. */
  hash(text: string): string | null
  /** What an address holds of the native coin and these tokens, above 0. */
  holdings(address: string, tokens: readonly HeldToken[]): Promise<Holding[]>
  /** Null when the network does not know it. */
  find(txHash: string): Promise<ChainTransaction | null>
}
