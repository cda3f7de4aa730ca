import { jsonObject, type Static, t } from '@bursar/contracts/schema'
import { PortfolioExecuted, SignedMessage } from '@bursar/contracts/wallet'
import { someId } from '../fields/fields'

export { PortfolioExecuted, SignedMessage }

const chainId = () => t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** POST /api/v1/core/transactions/portfolio/execute: `transactionData` is forwarded unchanged. */
export const Execution = t.Object(
  { accountId: someId(), chainId: chainId(), transactionData: jsonObject() },
  { title: 'Execution' },
)
export type Execution = Static<typeof Execution>

/** POST /api/v1/core/transactions/portfolio/sign-message: what a mode needs besides is the wallet service's to say. */
export const Signing = t.Object(
  {
    accountId: someId(),
    chainId: chainId(),
    signMode: t.String({ minLength: 1, maxLength: 64 }),
    message: t.Optional(t.String()),
    messageEncoding: t.Optional(t.String({ maxLength: 64 })),
    domain: t.Optional(jsonObject()),
    types: t.Optional(jsonObject()),
    typedDataMessage: t.Optional(jsonObject()),
  },
  { title: 'Signing' },
)
export type Signing = Static<typeof Signing>
