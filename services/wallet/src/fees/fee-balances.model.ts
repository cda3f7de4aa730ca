import { about, nullable, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'

/** What an address that pays a network's fees holds of the native coin. */
export const FeeBalance = t.Object(
  {
    network: t.String(),
    kind: about(
      'simulated: a chain of this deployment’s own, whose fees are nothing',
      oneOf(['evm', 'solana', 'simulated']),
    ),
    address: about('The address that pays', t.String()),
    accountId: about('The participant’s fee-payer account; null for the deployment’s own address', nullable(uuid())),
    code: about('The code of the network’s own coin', t.String()),
    balance: about('What the address holds of it; null where the network cannot be asked', nullable(t.String())),
    needed: about('What it must hold to be given one more order', t.String()),
    openOrders: about('How many orders it pays that have not ended', t.Integer()),
    isLow: about('Whether it holds less; null where that is not known', nullable(t.Boolean())),
  },
  { title: 'FeeBalance' },
)
export type FeeBalance = Static<typeof FeeBalance>
