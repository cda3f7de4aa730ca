import { formatAmount } from '@bursar/money'
import fc from 'fast-check'
import { statuses } from '../src/payments/states'
import type { TestTransactionManager } from './harness'
import { type Model, newModel, type Order, used } from './model'
import { destinationAccount } from './requests'

const parties = 3

const party = fc.nat(parties - 1)
const amount = fc.constantFrom(1n, 2n, 5n, 10n, 10n ** 19n)
const which = fc.nat(11)
const by = fc.constantFrom('maker', 'ann', 'bob')
const status = fc.constantFrom(...statuses, 'APPROVED' as const, 'PROCESSING' as const, 'COMPLETED' as const)
export const order: fc.Arbitrary<Order> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ order: fc.constant('deposit' as const), party, amount }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('withdrawal' as const), party, amount }) },
  { weight: 4, arbitrary: fc.record({ order: fc.constant('transfer' as const), party, to: party, amount }) },
  { weight: 16, arbitrary: fc.record({ order: fc.constant('move' as const), payment: which, status, by }) },
  {
    weight: 2,
    arbitrary: fc.record({
      order: fc.constant('limit' as const),
      party,
      amount: fc.constantFrom(0n, 5n, 20n, 10n ** 19n, 10n ** 20n),
    }),
  },
)

/** One sequence's share of the service. */
export interface Play {
  manager: TestTransactionManager
  model: Model
  pfis: string[]
  banks: string[]
  /** The ids of its payments, in the order of the model. */
  ids: string[]
}

const units = (value: bigint) => formatAmount(value, 2)

export async function begin(manager: TestTransactionManager): Promise<Play> {
  const made = await Promise.all(Array.from({ length: parties }, () => manager.party()))
  const [pfis, banks] = [made.map(({ pfi }) => pfi.id), made.map(({ bank }) => bank.id)]
  return { manager, model: newModel(parties), pfis, banks, ids: [] }
}

/** Asks for a limit. */
export const limitLine = async ({ manager, pfis }: Play, { party, amount }: Extract<Order, { order: 'limit' }>) =>
  await manager.put(
    `/internal/credit-lines/${pfis[party]}`,
    { currency: 'USD', limit: units(amount) },
    await manager.asService('main-api'),
  )

/** Asks for a payment. */
export async function requestPayment(
  { manager, banks }: Play,
  order: Extract<Order, { order: 'deposit' | 'withdrawal' | 'transfer' }>,
) {
  const body = { amount: units(order.amount), currency: 'USD', participantBankId: banks[order.party] }
  const sides =
    order.order === 'transfer'
      ? { fromParticipantBankId: banks[order.party], toParticipantBankId: banks[order.to] }
      : { destinationAccount }
  return await manager.post(`/${order.order}`, { ...body, ...sides }, await manager.as({ subject: 'maker' }))
}

/** The lines of the model's participants: limit, used, available; undefined where there is none. */
export const linesOf = (model: Model) =>
  model.limits.map((limit, party) => {
    const inUse = used(model, party)
    return limit === null ? undefined : [units(limit), units(inUse), units(limit - inUse)]
  })

/** The same of the service. */
export const linesIn = ({ manager, pfis }: Play) =>
  Promise.all(
    pfis.map(async (pfi) => {
      const line = await manager.lineOf(pfi)
      return line && [line.limit, line.used, line.available]
    }),
  )
