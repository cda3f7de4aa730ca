// Compares credit lines with their movements, and the movements with the payments.
import type { Finding } from './finding'
import type { Knowledge, State } from './state'

type Line = State['lines'][number]
type LineEntry = State['lineEntries'][number]
type Payment = State['payments'][number]

export function checkCredit(state: State, { payments: promised, excused }: Knowledge): Finding[] {
  const byId = new Map(state.payments.map((each) => [each.id, each]))
  const answered = [...promised].flatMap(([id, cents]): Finding[] => {
    const payment = byId.get(id)
    if (!payment) return excused.has(id) ? [] : [{ kind: 'lost', id, what: `the payment of ${cents} is not there` }]
    return payment.amount === cents
      ? []
      : [{ kind: 'wrong', id, what: `a payment of ${payment.amount}, asked for: ${cents}` }]
  })
  const entries = Map.groupBy(state.lineEntries, ({ paymentId }) => paymentId)
  return [
    ...answered,
    ...state.lines.flatMap((line) => checkLine(line, state.lineEntries)),
    ...state.payments.flatMap((each) => checkPayment(each, entries.get(each.id) ?? [])),
    ...[...entries.keys()]
      .filter((id) => !byId.has(id))
      .map((id): Finding => ({ kind: 'made', id, what: 'a credit line was moved by a payment that is not there' })),
  ]
}

function checkLine({ participantId: id, currency, limit, reserved, drawn }: Line, all: LineEntry[]): Finding[] {
  const own = all.filter((each) => each.participantId === id && each.currency === currency)
  const sum = (...kinds: string[]) =>
    own.filter(({ kind }) => kinds.includes(kind)).reduce((total, { amount }) => total + amount, 0n)
  const expected = { reserved: sum('reserve') - sum('release', 'settle'), drawn: sum('settle') - sum('repay') }
  const found: Finding[] = []
  if (reserved !== expected.reserved || drawn !== expected.drawn)
    found.push({
      kind: 'wrong',
      id,
      what: `the line has ${reserved} reserved and ${drawn} drawn; its movements say ${expected.reserved} and ${expected.drawn}`,
    })
  if (reserved < 0n || drawn < 0n || reserved + drawn > limit)
    found.push({ kind: 'wrong', id, what: `${reserved} + ${drawn} are used of a limit of ${limit}` })
  return found
}

const outgoing = ['WITHDRAWAL', 'TRANSFER']
const ended: Record<string, string> = {
  COMPLETED: 'settle',
  REJECTED: 'release',
  CANCELLED: 'release',
  FAILED: 'release',
}

/** A payment that uses a line reserves once, and settles or releases once when it ends; money that came in may repay once. */
function checkPayment({ id, type, status, amount, usesCredit }: Payment, entries: LineEntry[]): Finding[] {
  const own = entries.filter(({ kind }) => kind !== 'repay')
  const end = ended[status]
  const wanted = usesCredit && outgoing.includes(type) ? ['reserve', ...(end ? [end] : [])] : []
  const kinds = own.map(({ kind }) => kind)
  const found: Finding[] = []
  if (!Bun.deepEquals([...kinds].sort(), [...wanted].sort()))
    found.push({
      kind: 'wrong',
      id,
      what: `a ${type} ${status} has moved its line by ${kinds.join(', ') || 'nothing'}`,
    })
  if (own.some((entry) => entry.amount !== amount))
    found.push({
      kind: 'wrong',
      id,
      what: `a ${type} of ${amount} has moved its line by ${own.map((entry) => entry.amount)}`,
    })
  const repaid = entries.filter(({ kind }) => kind === 'repay')
  if (repaid.length > 1) found.push({ kind: 'doubled', id, what: `it paid its line back ${repaid.length} times` })
  if (repaid.some((entry) => entry.amount > amount || status !== 'COMPLETED' || type === 'WITHDRAWAL'))
    found.push({
      kind: 'made',
      id,
      what: `a ${type} ${status} of ${amount} paid back ${repaid.map((entry) => entry.amount)}`,
    })
  return found
}
