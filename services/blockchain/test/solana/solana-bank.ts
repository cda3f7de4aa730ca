import { type Address, address, getSignatureFromTransaction, type Instruction, lamports } from '@solana/kit'
import { getCreateAccountInstruction, getTransferSolInstruction } from '@solana-program/system'
import {
  findAssociatedTokenPda,
  getCreateAssociatedTokenIdempotentInstruction,
  getInitializeAccount3Instruction,
  getInitializeMint2Instruction,
  getMintToInstruction,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import type { SolanaNode } from './solana-node'
import { newKey, transactionBy } from './solana-wallet'

export const sol = 1_000_000_000n

export type SolanaBank = Awaited<ReturnType<typeof openBank>>

/** Somebody outside the deployment, with SOL and tokens to pay with. Each payment answers with its signature. */
export async function openBank(node: SolanaNode) {
  const key = await newKey()
  node.fund(key.address, 1000n * sol)

  async function run(instructions: Instruction[]): Promise<string> {
    node.svm.expireBlockhash()
    const transaction = await transactionBy(key, node.svm.latestBlockhash(), instructions)
    const failure = node.process(transaction)
    if (failure) throw new Error(failure)
    return getSignatureFromTransaction(transaction)
  }
  const transferTo = (to: string, amount: bigint) =>
    getTransferSolInstruction({ source: key, destination: address(to), amount: lamports(amount) })
  return {
    address: key.address,
    /** Pays all of them in one transaction. */
    pay: (amount: bigint, ...to: string[]) => run(to.map((each) => transferTo(each, amount))),
    run,
    key,
    /** A token with 6 decimals. */
    async newMint(): Promise<Address> {
      const mint = await newKey()
      const place = { payer: key, newAccount: mint, lamports: lamports(sol), space: 82 }
      await run([
        getCreateAccountInstruction({ ...place, programAddress: TOKEN_PROGRAM_ADDRESS }),
        getInitializeMint2Instruction({ mint: mint.address, decimals: 6, mintAuthority: key.address }),
      ])
      return mint.address
    },
    /** An account of the token beside the one that is associated with its owner, with this amount. */
    async mintBeside(owner: string, amount: bigint, mint: Address): Promise<string> {
      const token = await newKey()
      const place = { payer: key, newAccount: token, lamports: lamports(sol), space: 165 }
      return await run([
        getCreateAccountInstruction({ ...place, programAddress: TOKEN_PROGRAM_ADDRESS }),
        getInitializeAccount3Instruction({ account: token.address, mint, owner: address(owner) }),
        getMintToInstruction({ mint, token: token.address, mintAuthority: key, amount }),
      ])
    },
    /** Makes the owner's token account where there is none. */
    async mintTo(owner: string, amount: bigint, mint: Address): Promise<string> {
      const ata = await tokenAccount(owner, mint)
      return await run([
        getCreateAssociatedTokenIdempotentInstruction({ payer: key, ata, owner: address(owner), mint }),
        getMintToInstruction({ mint, token: ata, mintAuthority: key, amount }),
      ])
    },
  }
}

export async function tokenAccount(owner: string, mint: Address): Promise<Address> {
  const [account] = await findAssociatedTokenPda({ owner: address(owner), mint, tokenProgram: TOKEN_PROGRAM_ADDRESS })
  return account
}
