import { t, text } from '@bursar/contracts/schema'

export const ByNetwork = t.Object({ network: text(64) })

export const NewSimulatedDeposit = t.Object(
  {
    address: text(128),
    asset: t.String({
      minLength: 1,
      maxLength: 128,
      description: 'The code of the coin or token, or its contract address',
    }),
    amount: t.String({
      minLength: 1,
      maxLength: 80,
      description: 'Decimal, in the asset’s own unit',
      examples: ['12.50'],
    }),
    sourceAddress: t.Optional(text(128)),
  },
  { title: 'NewSimulatedDeposit' },
)

export const SimulatedDeposit = t.Object(
  {
    network: t.String(),
    simulated: t.Literal(true),
    transactionHash: t.String(),
    blockNumber: t.Integer(),
    address: t.String(),
    asset: t.String(),
    amount: t.String(),
  },
  { title: 'SimulatedDeposit' },
)
