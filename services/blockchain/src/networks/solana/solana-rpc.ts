import type { Rpc, SolanaRpcApi } from '@solana/kit'

/** A client of one node of Solana, or of all. */
export type SolanaRpc = Rpc<SolanaRpcApi>
