import type { Network, SignatureFate, SignedBefore } from '@bursar/contracts/blockchain'

/** The settings of a network. */
export interface NetworkSettings extends Network {
  /** The form of its addresses and hashes, which a simulated network shares with the real one of its name. */
  form: 'evm' | 'solana' | 'free'
  /** The expected identity of the node: the EIP-155 number, or Solana's genesis hash; null: unchecked. */
  identity: string | null
  /** The number of blocks, including a transaction's own, after which it is final. Solana has `finalized` instead. */
  confirmations: number
  rpcUrls: readonly string[]
  /** The timeout of a node. */
  timeoutMs: number
  /** The pause between two looks at the network. */
  pollMs: number
  /** Without traces, contract payments are detected by balances for at most this many watched addresses. */
  balanceWatch?: number
  /** How long a transaction may be pending before its fee is raised. */
  stuckAfterMs: number
}

/** A registered token. `contractAddress` is null for the native coin. */
export interface Token {
  contractAddress: string | null
  code: string
  decimals: number
}

/** A token whose balance is requested. Null: the chain says its decimals, or it has 0. */
export type HeldToken = Pick<Token, 'contractAddress'> & { decimals: number | null }

export interface Holding {
  contractAddress: string | null
  amount: bigint
  decimals: number
  /** What payments can take of it, where that is less. */
  payable?: bigint
}

/** One movement of one asset on a network. Amounts are in the smallest unit. */
export interface ChainTransfer {
  txHash: string
  /**
   * Its index in the transaction. EVM: 0 for the native coin, 1 + the position among the transaction's own logs for
   * tokens. Solana: twice the position of the account, 1 more for tokens.
   */
  logIndex: number
  from: string
  to: string
  contractAddress: string | null
  amount: bigint
  /** Null if the network does not say: then the token's are used. */
  decimals: number | null
  block: number
  blockHash: string
  at: Date
  /** The side of the movement, on networks that report gains and losses separately; else it is both. */
  side?: 'in' | 'out'
}

/** A transaction on a network. */
export interface ChainTransaction {
  txHash: string
  /** `pending`: in no final block. */
  status: 'pending' | 'confirmed' | 'failed'
  /** Why it failed; null if the network does not say. */
  reason: string | null
  /** Null while it is in no block. */
  block: number | null
  confirmations: number
  at: Date | null
  from: string[]
  to: string[]
  transfers: ToldTransfer[]
  /** The losses of each holder, on networks that report them separately from gains; else the transfers are both. */
  losses?: ToldTransfer[]
}
type ToldTransfer = Pick<ChainTransfer, 'logIndex' | 'from' | 'to' | 'contractAddress' | 'amount' | 'decimals'>

/** An unsigned transaction. */
export interface Draft {
  /** See `TransactionToSign.unsigned`. */
  unsigned: string
  signers: string[]
  /** The nonce in the sender's queue; null on networks without nonces. */
  nonce: number | null
  /** The last block height at which it can be included; null for no limit. */
  expiresAt: number | null
}

/** The result of building a transaction: `refused` permanently, or `waiting` for other orders. */
export type Drafted = { draft: Draft } | { refused: string } | { waiting: string }

/** A signed transaction that was stored, and possibly broadcast. */
export interface Attempt extends Draft {
  txHash: string
  signed: string
  createdAt: Date
}

/** A transaction that may be on the chain; what was signed, where that is known. */
export type Sent = Pick<Attempt, 'txHash'> & Partial<Attempt>

/** The state of an attempt: `absent` from all blocks; `included` in one, but not final; or final. */
export type Outcome =
  | { is: 'absent' }
  | { is: 'included' }
  | { is: 'confirmed'; fee?: Fee }
  /** Final without effect, except for its fee. */
  | { is: 'reverted'; reason: string; fee?: Fee }

/** The fee of a final transaction, in the network's coin; none on a network without fees. */
export interface Fee {
  payer: string
  amount: bigint
}

/** The payment or transaction to send. */
export interface SendOrder {
  id: string
  fromAddress: string
  toAddress: string
  contractAddress: string | null
  amount: bigint
  decimals: number
  feePayer: string | null
  /** A portfolio's own transaction; null for a payment. */
  transactionData: Record<string, unknown> | null
}

/** The input of drafting. */
export interface DraftRequest {
  sender: string
  orders: readonly SendOrder[]
  /** The lowest unassigned nonce of the queue; null before the first. */
  nextNonce: number | null
  /**
   * The queue has assigned none since its beginning or a restore: pending transactions known to the node also count.
   */
  isFirst: boolean
  /** Orders of this sender that may be on the chain, and are not final. */
  inFlight: readonly { order: SendOrder; attempt: Attempt }[]
  /** The highest nonce of a final transaction of this queue; null before the first. */
  lastFinal(): Promise<number | null>
}

/** Sends transactions on a network. */
export interface Sending {
  /** One result per order, in the same order. Rejects when the network is unreachable. */
  draft(request: DraftRequest): Promise<Drafted[]>
  /** The hash of a signed transaction. Throws when it differs from the draft, or is wrongly signed. */
  hashOf(draft: Draft, signed: string): Promise<string>
  /** Broadcasts them in order; known ones are skipped. Rejects at the first refusal. */
  broadcast(attempts: readonly Attempt[]): Promise<void>
  /** One outcome per transaction, in the same order. */
  outcomes(transactions: readonly Sent[]): Promise<Outcome[]>
  /**
   * The same transaction with a higher fee, and with more gas where it has too little, unless that is its order's own.
   * Null when its sender cannot pay it, when its fee is far above the usual one, and on networks without that.
   */
  dearer(attempt: Attempt, keepsGas?: boolean): Promise<Draft | null>
  /**
   * Why a sender's first transaction that is in no block can be in none yet: what comes before it was never sent. Null
   * where nothing is missing; absent on networks without nonces.
   */
  gapBefore?(sender: string, attempt: Attempt): Promise<string | null>
  /** Whether an order's attempts, none of which is in a block, can never be included. */
  lossOf(sender: string, attempts: readonly Attempt[]): Promise<Loss>
  /** The fates of signed transactions, one each, determined by the chain only. */
  fates(signed: readonly SignedTransaction[]): Promise<Fate[]>
}

/** The hash of the recorded final transaction with a sender's nonce; null for none. */
export type RecordedTaker = (sender: string, nonce: number) => Promise<string | null>

/** `lost`: it is proved that none can ever be included, so a new one may be made. */
export type Loss = 'none' | 'lost' | { replacement: Omit<Attempt, 'createdAt'> }

/** A signed transaction, and its known expiry. */
export interface SignedTransaction extends SignedBefore {
  /** Whether this service has broadcast it as an attempt, or is about to. */
  isHandedOver: boolean
  /** The expiry of its attempt; null without one. */
  expiresAt: number | null
}

export type Fate = Pick<SignatureFate, 'fate' | 'reason'>

/** A block and its movements at watched addresses. */
export interface ScannedBlock {
  number: number
  hash: string
  parentHash: string
}

/** A network that is read by blocks. */
export interface BlockSource {
  kind: 'blocks'
  /** The maximum number of blocks per read. */
  most: number
  /** The number of the newest block. */
  head(): Promise<number>
  /** The hash and the time of a block; null when there is none of that number. */
  blockAt(number: number): Promise<{ hash: string; at: Date } | null>
  /**
   * False: nodes that answer have different blocks of this number; `byAll`: or one does not show it. Absent with a
   * single node.
   */
  isAgreed?(number: number, hash: string, byAll?: boolean): Promise<boolean>
  /** Reads blocks in order, with the movements at the watched (comparable) addresses. */
  read(
    from: number,
    to: number,
    watched: ReadonlySet<string>,
  ): Promise<{ blocks: ScannedBlock[]; transfers: ChainTransfer[] }>
}

/** A network that is read by accounts, final transactions only. */
export interface AccountSource {
  kind: 'accounts'
  /** The accounts in which an address holds assets, itself first. */
  accountsOf(address: string): Promise<string[]>
  /**
   * The movements at an account after a signature, oldest first, and the newest signature. `since`: nothing before counts.
   */
  read(account: string, after: string | null, since: Date): Promise<{ transfers: ChainTransfer[]; last: string | null }>
}

/**
 * A network in use. All methods reject with an AppError when its nodes are unreachable, time out, or are unreliable.
 */
export interface Chain {
  readonly settings: NetworkSettings
  readonly sending: Sending
  readonly source: BlockSource | AccountSource
  /** The address in its canonical form; null when it is not one of this network. */
  address(text: string): string | null
  /** The hash in its canonical form; null when it is not one of this network. */
  hash(text: string): string | null
  /** The balances above 0 of an address in the native coin and these tokens. */
  holdings(address: string, tokens: readonly HeldToken[]): Promise<Holding[]>
  /** The decimals of a token as its contract says them; null when it says none, as on a simulated network. */
  decimals(contractAddress: string): Promise<number | null>
  /** Null when the network does not know it. */
  find(txHash: string): Promise<ChainTransaction | null>
}
