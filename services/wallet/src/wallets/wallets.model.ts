import { exampleIds, exampleToken } from '@bursar/contracts/examples'
import { about, jsonObject, nullable, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { getDeploymentHoldings, Wallet } from '@bursar/contracts/wallet'
import { keysetQuery, queryBoolean, queryInteger, queryUuid } from '@bursar/http'

export { Wallet }

/** A wallet in the participant's list (spec 3, Wallet). */
export const ListedWallet = t.Object(
  {
    participantId: about(
      'The owner of the wallet; null in the list for staff if its account belongs to a customer',
      nullable(uuid()),
    ),
    address: t.String(),
    blockchain: about('The network of the wallet', t.String()),
    walletId: uuid(),
    accountId: uuid(),
    /** The participant's router configuration; absent if it has none, or it is unavailable. */
    routerData: t.Optional(jsonObject()),
    /** True for a chain that the blockchain service simulates; absent if that service is unavailable. */
    simulated: t.Optional(t.Boolean()),
    createdAt: t.Optional(about('When it was created; only listed for staff', timestamp())),
  },
  { title: 'ListedWallet' },
)
export type ListedWallet = Static<typeof ListedWallet>

export const WalletList = t.Object(
  {
    data: about('All wallets of the participant and its customers', t.Array(ListedWallet)),
    warning: t.Optional(t.String()),
  },
  { title: 'WalletList' },
)
export type WalletList = Static<typeof WalletList>

export const ByAccountAndNetwork = t.Object({
  accountId: t.String({ format: 'uuid', examples: [exampleIds.account] }),
  network: { ...text(64), examples: [exampleToken.network] },
})
/** GET /wallets, for staff; a participant's own wallets are few, and are all listed. */
export const WalletsQuery = t.Object({
  accountId: t.Optional(about('Only wallets of this account', queryUuid())),
  network: t.Optional(about('Only wallets on this network', text(64))),
  address: t.Optional(about('Only wallets of this address', text(128))),
  limit: t.Optional(about('The maximum number of wallets; 100 by default', queryInteger({ minimum: 1, maximum: 100 }))),
  ...keysetQuery,
})
export type WalletsQuery = Static<typeof WalletsQuery>
export const WalletQuery = t.Object({
  createIfNotExists: t.Optional(about('Whether to create the wallet if there is none', queryBoolean())),
})

export const DeploymentHoldings = getDeploymentHoldings.answer
export type DeploymentHoldings = Static<typeof DeploymentHoldings>
export const HoldingsQuery = t.Object({ after: t.Optional(t.String({ maxLength: 64 })) })

/** An id for an account's walletAccountId (not specified). */
export const WalletAccount = t.Object(
  {
    walletAccountId: uuid(),
    accountId: about('The account that uses it; null before there is one', nullable(uuid())),
    createdAt: timestamp(),
  },
  { title: 'WalletAccount' },
)
export type WalletAccount = Static<typeof WalletAccount>
