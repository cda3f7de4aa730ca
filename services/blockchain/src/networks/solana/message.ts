import {
  AccountRole,
  type Address,
  address,
  appendTransactionMessageInstructions,
  type BlockhashLifetimeConstraint,
  compileTransaction,
  createNoopSigner,
  createTransactionMessage,
  type Instruction,
  lamports,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash,
  type Transaction,
} from '@solana/kit'
import { getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getTransferCheckedInstruction,
} from '@solana-program/token'
import type { SendOrder } from '../network'

const memoProgram = address('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')

/** A token's data in its mint. */
export interface Mint {
  address: Address
  /** The token program that it belongs to: the first one or Token-2022. */
  program: Address
}

/** Who pays an order's fees. */
const feePayerOf = ({ feePayer, fromAddress }: SendOrder): Address => address(feePayer ?? fromAddress)

/**
 * An order's transaction, version 0: for a token, the receiver's token account is created if missing, by the fee payer;
 * then the transfer; then a memo with the order's id, without which two equal payments would be the same transaction.
 */
export async function compileOrder(
  order: SendOrder,
  mint: Mint | null,
  isTokenAccount: boolean,
  lifetime: BlockhashLifetimeConstraint,
): Promise<Transaction> {
  const payment = mint ? await tokenPayment(order, mint, isTokenAccount) : [coinPayment(order)]
  return pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayer(feePayerOf(order), message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions([...payment, memo(order)], message),
    (message) => compileTransaction(message),
  )
}

const coinPayment = ({ fromAddress, toAddress, amount }: SendOrder): Instruction =>
  getTransferSolInstruction({
    source: createNoopSigner(address(fromAddress)),
    destination: address(toAddress),
    amount: lamports(amount),
  })

async function tokenPayment(order: SendOrder, mint: Mint, isTokenAccount: boolean): Promise<Instruction[]> {
  const owner = address(order.fromAddress)
  const to = address(order.toAddress)
  const destination = isTokenAccount ? to : await tokenAccountOf(to, mint)
  const transfer = getTransferCheckedInstruction(
    {
      source: await tokenAccountOf(owner, mint),
      mint: mint.address,
      destination,
      authority: createNoopSigner(owner),
      amount: order.amount,
      decimals: order.decimals,
    },
    { programAddress: mint.program },
  )
  if (isTokenAccount) return [transfer]
  const account = getCreateAssociatedTokenIdempotentInstruction({
    payer: createNoopSigner(feePayerOf(order)),
    ata: destination,
    owner: to,
    mint: mint.address,
    tokenProgram: mint.program,
  })
  return [account, transfer]
}

const memo = ({ id, fromAddress }: SendOrder): Instruction => ({
  programAddress: memoProgram,
  accounts: [{ address: address(fromAddress), role: AccountRole.READONLY_SIGNER }],
  data: new TextEncoder().encode(id),
})

/** The account in which an owner holds a token, unless it chose others. */
export async function tokenAccountOf(owner: Address, { address: mint, program }: Mint): Promise<Address> {
  const [account] = await findAssociatedTokenPda({ owner, mint, tokenProgram: program })
  return account
}
