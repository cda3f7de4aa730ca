import { exampleAddress, exampleIds, exampleToken } from '@bursar/contracts/examples'
import { about, jsonObject, t } from '@bursar/contracts/schema'
import { PortfolioExecuted, SignedMessage } from '@bursar/contracts/wallet'
import { someId } from '../networks/fields'

export { PortfolioExecuted, SignedMessage }

const chainId = () => t.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** POST /api/v1/core/transactions/portfolio/execute: `transactionData` is forwarded unchanged. */
export const Execution = t.Object(
  {
    accountId: someId(),
    chainId: chainId(),
    transactionData: about(
      'The transaction in the form of its network, forwarded unchanged: `{to, value, data}`',
      jsonObject(),
    ),
  },
  {
    title: 'Execution',
    examples: [
      {
        accountId: exampleIds.portfolioAccount,
        chainId: exampleToken.chainId,
        transactionData: { to: exampleAddress, value: '0', data: '0x' },
      },
    ],
  },
)

/**
 * POST /api/v1/core/transactions/portfolio/sign-message. The wallet service validates the further fields of each mode.
 */
export const Signing = t.Object(
  {
    accountId: someId(),
    chainId: chainId(),
    signMode: t.String({ description: 'PERSONAL_SIGN or TYPED_DATA_V4', minLength: 1, maxLength: 64 }),
    message: t.Optional(about('What to sign, for PERSONAL_SIGN', t.String())),
    messageEncoding: t.Optional(t.String({ maxLength: 64, description: 'The encoding of the message: UTF8 or HEX' })),
    domain: t.Optional(about('The EIP-712 domain, for TYPED_DATA_V4', jsonObject())),
    types: t.Optional(about('The EIP-712 types, for TYPED_DATA_V4', jsonObject())),
    typedDataMessage: t.Optional(about('The EIP-712 message, for TYPED_DATA_V4', jsonObject())),
  },
  {
    title: 'Signing',
    examples: [
      {
        accountId: exampleIds.portfolioAccount,
        chainId: exampleToken.chainId,
        signMode: 'PERSONAL_SIGN',
        message: 'Sign in to the exchange',
        messageEncoding: 'UTF8',
      },
    ],
  },
)
