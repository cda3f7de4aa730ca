import type { Measured } from './measure'
import type { PlanComplaint } from './plans'

/** The results of one service. */
export interface Outcome {
  service: string
  requests: number
  /** The slowest of each operation. */
  measured: Measured[]
  plans: PlanComplaint[]
  /** Answers other than 200, by status and operation. */
  notOk: [string, number][]
  /** Operations that never answered 200. */
  unanswered: string[]
}

/** Longest turn of the event loop, which delays everybody else (docs: ARCHITECTURE.md). */
const turnLimitMs = 50
/** Of a statement of the payments' search. */
const searchLimitMs = 20

/** The payments' search has a limit of its own, for its statements. */
const isSearchOfPayments = ({ service, request }: Measured): boolean =>
  service === 'transaction-manager' && /^GET \/transactions \?.*search=/.test(request)

export const limitOf = (measured: Measured): number => (isSearchOfPayments(measured) ? searchLimitMs : turnLimitMs)

/** How much of its limit a request takes. */
export const shareOfLimit = (measured: Measured): number =>
  Math.max(measured.turnMs / turnLimitMs, isSearchOfPayments(measured) ? measured.statementMs / searchLimitMs : 0)

export const overLimit = (measured: Measured): boolean => shareOfLimit(measured) > 1

/** Errors other than slowness. */
export const problemsOf = ({ service, plans, notOk, unanswered }: Outcome): string[] => [
  ...unanswered.map((operation) => `${service}: ${operation} never answered 200`),
  ...notOk.filter(([what]) => !/^40[04] /.test(what)).map(([what, times]) => `${service}: ${times} times ${what}`),
  ...plans.map(({ problem, statement }) => `${service}: a statement ${problem}\n  ${statement}`),
]

export const rowOf = ({ service, request, status, turnMs, turnWallMs, statementMs, bytes }: Measured) => ({
  service,
  request: request.slice(0, 110),
  status,
  'turn ms': round(turnMs),
  'by the clock': round(turnWallMs),
  'statement ms': round(statementMs),
  bytes,
})

const round = (value: number): number => Math.round(value * 10) / 10
