import { base58 } from '@scure/base'
import {
  type Address,
  getCompiledTransactionMessageDecoder,
  getSignatureFromTransaction,
  lamports,
  type Transaction,
} from '@solana/kit'
import { getTokenDecoder, TOKEN_PROGRAM_ADDRESS } from '@solana-program/token'
import { FailedTransactionMetadata, LiteSVM, type TransactionMetadata } from 'litesvm'

/** A transaction that a block holds. */
export interface Processed {
  signature: string
  slot: number
  isFinal: boolean
  err: string | null
  keys: string[]
  /** As getTransaction answers it. */
  record: object
}

/** litesvm, the network's own runtime, with what it does not keep: blocks, and which of them are final. */
export interface SolanaLedger {
  svm: LiteSVM
  /** Oldest first. */
  processed: Processed[]
  slot(): number
  /** Why it is in no block; null when it is in one, failed or not. */
  process(transaction: Transaction): string | null
  /** Makes all that was processed final. */
  finalize(): void
  /** Lets so many blocks pass, and with them the time of older blockhashes. */
  passBlocks(blocks: number): void
  fund(address: string, amount: bigint): void
  decimalsOf(mint: Address): number
}

/** Never in a block: the blockhash is unknown or too old, or nobody can pay the fee. */
const inNoBlock = /Blockhash|AccountNotFound|InsufficientFundsForFee/i
const tokenAccountBytes = 165
const noData = new Uint8Array()

/** What the programs called, as getTransaction tells it. */
const innerOf = (result: TransactionMetadata) =>
  result.innerInstructions().map((called, index) => ({
    index,
    instructions: called.map((each) => {
      const instruction = each.instruction()
      return {
        programIdIndex: instruction.programIdIndex(),
        accounts: [...instruction.accounts()],
        data: base58.encode(new Uint8Array(instruction.data())),
      }
    }),
  }))

export function solanaLedger(): SolanaLedger {
  const svm = new LiteSVM()
  const processed: Processed[] = []
  let slot = 1000

  const decimalsOf = (mint: Address): number => {
    const account = svm.getAccount(mint)
    return account.exists ? (account.data[44] ?? 0) : 0
  }

  function balances(keys: readonly Address[]) {
    const accounts = keys.map((key) => svm.getAccount(key))
    const tokens = accounts.flatMap((account, accountIndex) => {
      if (!account.exists || account.programAddress !== TOKEN_PROGRAM_ADDRESS) return []
      if (account.data.length !== tokenAccountBytes) return []
      const { mint, owner, amount } = getTokenDecoder().decode(account.data)
      return [{ accountIndex, mint, owner, uiTokenAmount: { amount: String(amount), decimals: decimalsOf(mint) } }]
    })
    return { coins: accounts.map((account) => (account.exists ? Number(account.lamports) : 0)), tokens }
  }

  function process(transaction: Transaction): string | null {
    const signature = getSignatureFromTransaction(transaction)
    if (processed.some((each) => each.signature === signature)) {
      throw new Error('This transaction has already been processed')
    }
    const message = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes)
    if (message.version === 1) throw new Error('No test has messages of version 1')
    const keys = message.staticAccounts
    const before = balances(keys)
    const result = svm.sendTransaction(transaction)
    const after = balances(keys)
    const err = result instanceof FailedTransactionMetadata ? String(result.err()) : null
    if (err !== null && inNoBlock.test(err)) return err
    slot += 1
    const meta = {
      err,
      fee: 5000 * Object.keys(transaction.signatures).length,
      preBalances: before.coins,
      postBalances: after.coins,
      preTokenBalances: before.tokens,
      postTokenBalances: after.tokens,
      innerInstructions: innerOf(result instanceof FailedTransactionMetadata ? result.meta() : result),
      loadedAddresses: { writable: [], readonly: [] },
      logMessages: [],
    }
    const blockTime = Math.floor(Date.now() / 1000)
    const instructions = message.instructions.map(({ programAddressIndex, accountIndices = [], data = noData }) => ({
      programIdIndex: programAddressIndex,
      accounts: accountIndices,
      data: base58.encode(new Uint8Array(data)),
    }))
    const said = { signatures: [signature], message: { accountKeys: keys, instructions } }
    const record = { slot, blockTime, version: 0, meta, transaction: said }
    processed.push({ signature, slot, isFinal: false, err, keys: [...keys], record })
    return null
  }

  return {
    svm,
    processed,
    process,
    decimalsOf,
    slot: () => slot,
    finalize() {
      for (const entry of processed) entry.isFinal = true
    },
    passBlocks(blocks) {
      slot += blocks
      svm.expireBlockhash()
    },
    fund: (address, amount) => void svm.airdrop(address as Address, lamports(amount)),
  }
}
