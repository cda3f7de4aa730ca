import { exampleAddress, exampleToken } from '@bursar/contracts/examples'
import { about, t, text } from '@bursar/contracts/schema'

export const ByNetwork = t.Object({ network: { ...text(64), examples: [exampleToken.network] } })

export const NewSimulatedDeposit = t.Object(
  {
    address: about('The receiving address', text(128)),
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
    sourceAddress: t.Optional(about('The paying address; by default one outside this deployment', text(128))),
  },
  { title: 'NewSimulatedDeposit', examples: [{ address: exampleAddress, asset: exampleToken.code, amount: '12.50' }] },
)

export const SimulatedDeposit = t.Object(
  {
    network: t.String(),
    simulated: t.Literal(true),
    transactionHash: t.String(),
    blockNumber: t.Integer(),
    address: t.String(),
    asset: about('The code of the coin or token', t.String()),
    amount: t.String(),
  },
  { title: 'SimulatedDeposit' },
)
