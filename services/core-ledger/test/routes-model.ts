// All that moves money by a route, an event or the worker, as sums alone: amounts are halves of the asset's unit.

export type Act =
  | { act: 'deposit' | 'arrive'; to: number; amount: number }
  | { act: 'withdraw'; from: number; amount: number; form: 'service' | 'gateway' | 'order' }
  | { act: 'transfer'; from: number; to: number; amount: number }
  | { act: OnOne; which: number; form: 'service' | 'gateway' }
  | { act: 'sign'; which: number; as: Signed; isTold: boolean }
  | { act: 'move'; kind: 'in' | 'out' | 'fee' | 'platform'; amount: number }
  | { act: 'movement'; which: number; what: 'vanish' | 'reappear' | 'cover' }
  | { act: 'pause'; isPaused: boolean }
  | { act: 'work' }
export const onOne = [
  'pass',
  'flag',
  'approve',
  'reject',
  'fail',
  'release',
  'return',
  'cover',
  'retry',
  'vanish',
  'reappear',
] as const
export type OnOne = (typeof onOne)[number]
/** What the wallet has made of an order: it moves on only, and nothing is after the last two. */
export const signed = ['accepted', 'broadcast', 'confirmed', 'failed'] as const
export type Signed = (typeof signed)[number]

interface Money {
  type: 'DEPOSIT' | 'WITHDRAWAL' | 'TRANSFER'
  status: 'PENDING' | 'FROZEN' | 'APPROVED' | 'COMPLETED' | 'REJECTED' | 'FAILED'
  amount: number
  account: number
  to: number
  verdict: boolean | null
  /** The deposit that it returns. */
  returns: Money | null
  wallet: Signed | null
  isOnChain: boolean
  isReversed: boolean
  isCovered: boolean
}

/** The accounts: two of customers, an omnibus and a portfolio. */
export const omnibus = 2
export const portfolio = 3

export const newModel = () => ({
  accounts: [0, 1, omnibus, portfolio].map(() => ({ free: 0, held: 0 })),
  all: [] as Money[],
  /** What came to the portfolio by its own transactions. */
  moved: [] as Pick<Money, 'isReversed' | 'isCovered'>[],
  /** What has left the portfolio's address, and is not in its books. */
  debt: 0,
  feesPaid: 0,
  isPaused: false,
})
export type Model = ReturnType<typeof newModel>

const isOpen = ({ status }: Money) => status !== 'REJECTED' && status !== 'FAILED'
const backOf = ({ all }: Model, of: Money) => all.find((each) => each.returns === of && isOpen(each))
const inSuspense = (model: Model, of: Money) => of.type === 'DEPOSIT' && !isOpen(of) && !backOf(model, of)
const isMissing = (model: Model, of: Money) =>
  of.isReversed && !of.isCovered && (of.status === 'COMPLETED' || backOf(model, of)?.status === 'COMPLETED')
const isShort = (model: Model, account: number) =>
  model.all.some((each) => each.type === 'DEPOSIT' && each.account === account && isMissing(model, each)) ||
  (account === portfolio && (model.debt > 0 || model.moved.some((each) => each.isReversed && !each.isCovered)))

/** What deposits hold that are nobody's, by whether they are on their way back; what came in and has not left is all there is. */
export const suspended = ({ all }: Model, isReturning: boolean): number => {
  const returning = all.filter((each) => each.returns && isOpen(each) && each.status !== 'COMPLETED')
  const gone = all.filter((each) => each.returns && each.status === 'COMPLETED')
  const sum = (some: Money[]) => some.reduce((total, { amount }) => total + amount, 0)
  if (isReturning) return sum(returning)
  return (
    sum(all.filter(({ type, status }) => type === 'DEPOSIT' && status !== 'COMPLETED')) - sum(returning) - sum(gone)
  )
}

/** Carries an act out on the model, if it may be; whether it may. */
export function apply(model: Model, act: Act): boolean {
  const { accounts, all } = model
  const add = (fields: Pick<Money, 'type' | 'amount' | 'account'> & Partial<Money>) =>
    void all.push({
      status: 'PENDING',
      to: fields.account,
      verdict: null,
      returns: null,
      wallet: null,
      isOnChain: false,
      isReversed: false,
      isCovered: false,
      ...fields,
    })
  switch (act.act) {
    case 'deposit':
    case 'arrive':
      add({ type: 'DEPOSIT', amount: act.amount, account: act.to, isOnChain: act.act === 'arrive' })
      return true
    case 'withdraw':
    case 'transfer': {
      const from = at(accounts, act.from)
      const isAllowed =
        act.act === 'withdraw'
          ? act.form !== 'order' || act.from === omnibus
          : act.from !== act.to && act.from !== portfolio && act.to !== portfolio
      if (!isAllowed || model.isPaused || act.amount > from.free) return false
      from.free -= act.amount
      from.held += act.amount
      add({
        type: act.act === 'withdraw' ? 'WITHDRAWAL' : 'TRANSFER',
        amount: act.amount,
        account: act.from,
        to: act.act === 'transfer' ? act.to : act.from,
      })
      return true
    }
    case 'sign': {
      const one = at(all, act.which)
      if (one.wallet === null || signed.indexOf(act.as) <= signed.indexOf(one.wallet) || one.wallet === 'confirmed')
        return false
      one.wallet = act.as
      // An event is believed about what has left; that it never will, an answer says.
      if (act.isTold && act.as === 'confirmed' && one.status === 'APPROVED') end(model, one, 'COMPLETED')
      return true
    }
    case 'move':
      if (act.kind === 'platform') model.feesPaid += act.amount
      else if (act.kind === 'in') at(accounts, portfolio).free += act.amount
      else model.debt += act.amount
      if (act.kind === 'in') model.moved.push({ isReversed: false, isCovered: false })
      payDebt(model)
      return true
    case 'movement': {
      const one = at(model.moved, act.which)
      if (act.what === 'cover' ? !one.isReversed || one.isCovered : one.isReversed === (act.what === 'vanish'))
        return false
      if (act.what === 'cover') one.isCovered = true
      else one.isReversed = act.what === 'vanish'
      return true
    }
    case 'pause':
      model.isPaused = act.isPaused
      return true
    case 'work':
      work(model)
      return true
    default:
      return onOneOf(model, at(all, act.which), act.act, add)
  }
}

function onOneOf(
  model: Model,
  one: Money,
  act: OnOne,
  add: (fields: Pick<Money, 'type' | 'amount' | 'account' | 'returns'>) => void,
): boolean {
  const move = (from: Money['status'], to: Money['status']) => {
    if (one.status !== from) return false
    if (to === 'APPROVED' || to === 'FROZEN') one.status = to
    else end(model, one, to)
    return true
  }
  switch (act) {
    case 'pass':
    case 'flag': {
      if (one.verdict !== null) return one.verdict === (act === 'pass')
      one.verdict = act === 'pass'
      return move('PENDING', one.verdict ? 'APPROVED' : 'FROZEN')
    }
    case 'approve':
      return one.returns === null && move('FROZEN', 'APPROVED')
    case 'reject':
      return move('FROZEN', 'REJECTED')
    case 'fail':
      if (one.status !== 'APPROVED' || one.wallet === 'broadcast' || one.wallet === 'confirmed') return false
      if (one.type === 'WITHDRAWAL') one.wallet = 'failed'
      return move('APPROVED', 'FAILED')
    case 'retry':
      return one.status === 'APPROVED'
    case 'release':
      if (!inSuspense(model, one) || one.isReversed || model.isPaused) return false
      return move(one.status, 'COMPLETED')
    case 'return':
      if (!inSuspense(model, one) || one.isReversed) return false
      add({ type: 'WITHDRAWAL', amount: one.amount, account: one.account, returns: one })
      return true
    case 'cover':
      if (!isMissing(model, one)) return false
      one.isCovered = true
      return true
    default:
      if (!one.isOnChain || one.isReversed === (act === 'vanish')) return false
      one.isReversed = act === 'vanish'
      return true
  }
}

const isBlocked = (model: Model, { type, returns, account, isReversed }: Money): boolean => {
  if (type === 'DEPOSIT') return isReversed || model.isPaused
  return isShort(model, account) || (returns === null ? model.isPaused : returns.isReversed)
}

/** Deposits and transfers; then what the wallet has; then what it gets now. Last, movements that wait for money. */
function work(model: Model): void {
  const approved = model.all.filter(({ status }) => status === 'APPROVED')
  const isFree = (one: Money) => !isBlocked(model, one)
  const [ordered, others] = [
    approved.filter(({ wallet }) => wallet !== null),
    approved.filter(({ wallet }) => wallet === null),
  ]
  for (const one of others.filter((each) => each.type !== 'WITHDRAWAL').filter(isFree)) end(model, one, 'COMPLETED')
  for (const one of ordered) {
    if (one.wallet === 'confirmed') end(model, one, 'COMPLETED')
    else if (one.wallet === 'failed') end(model, one, 'FAILED')
  }
  for (const one of others.filter((each) => each.type === 'WITHDRAWAL').filter(isFree)) one.wallet = 'accepted'
  payDebt(model)
}

function end(model: Model, one: Money, status: Money['status']): void {
  one.status = status
  const [from, to] = [at(model.accounts, one.account), at(model.accounts, one.to)]
  const isDone = status === 'COMPLETED'
  if (one.type === 'DEPOSIT') to.free += isDone ? one.amount : 0
  else if (one.returns === null) {
    from.held -= one.amount
    if (!isDone) from.free += one.amount
    else if (one.type === 'TRANSFER') to.free += one.amount
  }
}

function payDebt(model: Model): void {
  const own = at(model.accounts, portfolio)
  const paid = Math.min(own.free, model.debt)
  own.free -= paid
  model.debt -= paid
}

export function at<T>(all: readonly T[], place: number): T {
  const found = all[place]
  if (found === undefined) throw new Error(`The model has nothing at ${place}`)
  return found
}
