import { jsonObject, nullable, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { getDeploymentHoldings, Wallet } from '@bursar/contracts/wallet'
import { queryBoolean } from '@bursar/http'

export { Wallet }

/** A wallet in the participant's list (spec 3, Wallet). */
export const ListedWallet = t.Object(
  {
    participantId: uuid(),
    address: t.String(),
    blockchain: t.String(),
    walletId: uuid(),
    accountId: uuid(),
    /** The participant's router configuration; absent where it has none, or could not be asked for. */
    routerData: t.Optional(jsonObject()),
    /** True for a chain that the blockchain service keeps itself; absent where it could not be asked. */
    simulated: t.Optional(t.Boolean()),
  },
  { title: 'ListedWallet' },
)
export type ListedWallet = Static<typeof ListedWallet>

export const WalletList = t.Object(
  { data: t.Array(ListedWallet), warning: t.Optional(t.String()) },
  { title: 'WalletList' },
)
export type WalletList = Static<typeof WalletList>

export const ByAccountAndNetwork = t.Object({ accountId: uuid(), network: text(64) })
export const WalletQuery = t.Object({ createIfNotExists: t.Optional(queryBoolean()) }, { title: 'WalletQuery' })

export const DeploymentHoldings = getDeploymentHoldings.answer
export type DeploymentHoldings = Static<typeof DeploymentHoldings>
export const HoldingsQuery = t.Object({ after: t.Optional(t.String({ maxLength: 64 })) }, { title: 'HoldingsQuery' })

/** What an account can be created with as its walletAccountId (ours). */
export const WalletAccount = t.Object(
  {
    walletAccountId: uuid(),
    accountId: nullable(uuid()),
    createdAt: timestamp(),
  },
  { title: 'WalletAccount' },
)
export type WalletAccount = Static<typeof WalletAccount>
