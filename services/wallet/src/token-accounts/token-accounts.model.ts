import { exampleIds, exampleToken } from '@bursar/contracts/examples'
import { about, byId, nullable, optional, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'

/** POST /wallets/:id/token-account. */
export const NewTokenAccount = t.Object(
  {
    tokenAddress: about('The address of the token’s contract', text(128)),
    feePayerAccountId: optional(uuid()),
  },
  { title: 'NewTokenAccount', examples: [{ tokenAddress: exampleToken.contractAddress }] },
)
export type NewTokenAccount = Static<typeof NewTokenAccount>

/** GET /wallets/:id/token-account. */
export const AssetQuery = t.Object({
  network: { ...text(64), examples: [exampleToken.network] },
  assetCode: { ...text(255), examples: [exampleToken.code] },
})
export type AssetQuery = Static<typeof AssetQuery>

/** A token account (spec 3, Wallet). */
export const TokenAccount = t.Object(
  {
    tokenAccountId: about('The id of the token account', uuid()),
    accountId: uuid(),
    walletId: uuid(),
    network: t.String(),
    /** Null for the network's native coin. */
    tokenAddress: nullable(t.String()),
    assetCode: about('The code of the asset; null for a token that is not in the catalogue', nullable(t.String())),
    address: about(
      'The address for the token: the associated token account on Solana, the address of the wallet elsewhere',
      t.String(),
    ),
    feePayerAccountId: nullable(uuid()),
    createdAt: timestamp(),
  },
  { title: 'TokenAccount' },
)

export type TokenAccount = Static<typeof TokenAccount>

/** The path of an account. */
export const ById = byId(exampleIds.account)
