import type { PaymentStatus, PaymentType } from '@bursar/contracts/transaction-manager'

/** A request to both the model and the service. Numbers are indexes of participants and payments. */
export type Order =
  | { order: 'deposit' | 'withdrawal'; party: number; amount: bigint }
  | { order: 'transfer'; party: number; to: number; amount: bigint }
  | { order: 'move'; payment: number; status: PaymentStatus; by: string }
  | { order: 'limit'; party: number; amount: bigint }

interface ModelPayment {
  type: PaymentType
  status: PaymentStatus
  amount: bigint
  from: number | null
  to: number | null
  /** Whether its sender had a line at its creation. */
  counts: boolean
  /** Who changed its status last. */
  by: string
  moves: number
}

/** A participant's line: null before it is created. All amounts are derived from the payments, not stored. */
export interface Model {
  limits: (bigint | null)[]
  /** The repayments of each line. */
  repaid: bigint[]
  payments: ModelPayment[]
}

export const newModel = (parties: number): Model => ({
  limits: Array.from({ length: parties }, () => null),
  repaid: Array.from({ length: parties }, () => 0n),
  payments: [],
})

const underWay: PaymentStatus[] = ['PENDING', 'IN_REVIEW', 'APPROVED', 'PROCESSING']

const sum = (model: Model, party: number, statuses: readonly PaymentStatus[]): bigint =>
  model.payments
    .filter(({ from, counts, status }) => from === party && counts && statuses.includes(status))
    .reduce((total, { amount }) => total + amount, 0n)

/** Drawn by completed payments and not repaid. */
const drawn = (model: Model, party: number) => sum(model, party, ['COMPLETED']) - (model.repaid[party] ?? 0n)
export const used = (model: Model, party: number) => sum(model, party, underWay) + drawn(model, party)

/** The transitions of decisions: the main path, and the exits from it. */
function isAllowed(type: PaymentType, from: PaymentStatus, to: PaymentStatus): boolean {
  const way: PaymentStatus[] = ['PENDING', 'IN_REVIEW', 'APPROVED', 'PROCESSING', 'COMPLETED']
  const isIncoming = type === 'DEPOSIT'
  const place = way.indexOf(from)
  if (place < 0 || from === 'COMPLETED') return false
  if (to === 'CANCELLED') return place < way.indexOf('PROCESSING')
  if (to === 'REJECTED') return place < way.indexOf('APPROVED')
  if (to === 'FAILED') return place >= way.indexOf('APPROVED') || (isIncoming && from === 'PENDING')
  if (way.indexOf(to) === place + 1) return true
  if (from === 'PENDING' && to === 'APPROVED') return true
  return isIncoming && to === 'COMPLETED' && (from === 'PENDING' || from === 'APPROVED')
}

/** Carries out a request; returns the HTTP status. */
export function apply(model: Model, order: Order): number {
  if (order.order === 'limit') return setLimit(model, order.party, order.amount)
  if (order.order === 'move') return move(model, order)
  const from = order.order === 'deposit' ? null : order.party
  const to = order.order === 'deposit' ? order.party : order.order === 'transfer' ? order.to : null
  if (from !== null && from === to) return 422
  const limit = from === null ? null : (model.limits[from] ?? null)
  if (from !== null && limit !== null && used(model, from) + order.amount > limit) return 409
  const type = order.order.toUpperCase() as PaymentType
  const payment = { type, amount: order.amount, from, to, counts: limit !== null, by: 'maker', moves: 1 }
  model.payments.push({ ...payment, status: 'PENDING' })
  return 201
}

function setLimit(model: Model, party: number, amount: bigint): number {
  if (amount < used(model, party)) return 409
  model.limits[party] = amount
  return 200
}

function move(model: Model, { payment: index, status, by }: Extract<Order, { order: 'move' }>): number {
  const payment = model.payments[index]
  if (!payment) throw new Error(`The model has no payment ${index}`)
  if (payment.status === status) return payment.by === by ? 200 : 409
  if (!isAllowed(payment.type, payment.status, status)) return 409
  Object.assign(payment, { status, by, moves: payment.moves + 1 })
  const { to, amount } = payment
  if (status === 'COMPLETED' && to !== null && model.limits[to] !== null) {
    const open = drawn(model, to)
    const isAll = amount >= open
    model.repaid[to] = (model.repaid[to] ?? 0n) + (isAll ? open : amount)
  }
  return 200
}
