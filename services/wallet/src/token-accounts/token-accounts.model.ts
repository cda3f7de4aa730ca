import { nullable, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'

/** POST /wallets/:id/token-account. */
export const NewTokenAccount = t.Object(
  {
    tokenAddress: text(128),
    feePayerAccountId: t.Optional(uuid()),
  },
  { title: 'NewTokenAccount' },
)
export type NewTokenAccount = Static<typeof NewTokenAccount>

/** GET /wallets/:id/token-account. */
export const AssetQuery = t.Object({ network: text(64), assetCode: text(255) }, { title: 'AssetQuery' })
export type AssetQuery = Static<typeof AssetQuery>

/** A token account (spec 3, Wallet). */
export const TokenAccount = t.Object(
  {
    tokenAccountId: uuid(),
    accountId: uuid(),
    walletId: uuid(),
    network: t.String(),
    /** Null for the network's own coin. */
    tokenAddress: nullable(t.String()),
    /** Null for a token that is not in the catalogue of assets. */
    assetCode: nullable(t.String()),
    /** Where the token is to be sent: the associated token account on Solana, the wallet's address elsewhere. */
    address: t.String(),
    feePayerAccountId: nullable(uuid()),
    createdAt: timestamp(),
  },
  { title: 'TokenAccount' },
)

export type TokenAccount = Static<typeof TokenAccount>

export const ById = t.Object({ id: uuid() })
