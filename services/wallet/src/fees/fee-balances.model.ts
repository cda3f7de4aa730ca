import { about, nullable, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'

/** The native balance of an address that pays a network's fees. */
export const FeeBalance = t.Object(
  {
    network: t.String(),
    kind: about('simulated: a chain of this deployment itself, without fees', oneOf(['evm', 'solana', 'simulated'])),
    address: about('The address that pays', t.String()),
    accountId: about('The participant’s fee-payer account; null for the deployment’s own address', nullable(uuid())),
    code: about('The code of the network’s native coin', t.String()),
    balance: about('The balance of the address; null if the network is unavailable', nullable(t.String())),
    needed: about('The balance that it needs for one more order', t.String()),
    openOrders: about('The number of open orders whose fees it pays', t.Integer()),
    isLow: about('Whether it holds less; null if unknown', nullable(t.Boolean())),
  },
  { title: 'FeeBalance' },
)
export type FeeBalance = Static<typeof FeeBalance>
