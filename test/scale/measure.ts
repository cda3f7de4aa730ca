import { type Opened, readAnswer, shown } from './open'
import type { Operation } from './operations'
import { shareOfLimit } from './outcome'
import { type Answered, deepOf, requestsOf } from './requests'
import { longestTurn } from './turns'
import type { WatchedStatements } from './watch-statements'

/** What one request did. */
export interface Measured {
  service: string
  request: string
  operation: string
  status: number
  /** Longest turn of the event loop: thread time, and wall time. */
  turnMs: number
  turnWallMs: number
  /** The longest statement. */
  statementMs: number
  statement: string
  bytes: number
  wholeMs: number
}

export interface Measuring {
  statements: WatchedStatements
  /** Lists without pages are read for so long, and each operation's first request. */
  readMs: number
  firstReadMs: number
  /** Whether the slowest requests are repeated, and the best time counts. */
  isRepeated: boolean
  /** Whether each statement need run only about once. */
  isBrief?: boolean
  /** Called with every text of a statement that ran. */
  ran(text: string): void
  /** Called with every answer. */
  answered(measured: Measured, answer: Answered): void
}

const mostTimes = 4

/** Sends every request of an operation. Returns how many there were. */
export async function measureOperation(opened: Opened, operation: Operation, measuring: Measuring): Promise<number> {
  let requests = 0
  for (const participantId of [undefined, ...(opened.seed.scoped?.[operation.name] ?? [])]) {
    const fetch: Opened['fetch'] = (url) => opened.fetch(url, participantId)
    requests += await measureAs({ ...opened, fetch }, operation, {
      ...measuring,
      answered: (measured, answer) =>
        measuring.answered(
          participantId ? { ...measured, request: `${measured.request} (participant)` } : measured,
          answer,
        ),
    })
  }
  return requests
}

async function measureAs(opened: Opened, operation: Operation, measuring: Measuring): Promise<number> {
  let requests = 0
  const ask = async (url: string, readMs: number): Promise<Answered> => {
    requests++
    const { measured, answer } = await leastOf(opened, operation, url, { ...measuring, readMs })
    measuring.answered(measured, answer)
    return answer
  }
  const known = new Map<string, Answered>()
  for (const asked of requestsOf(operation, opened.values, measuring.isBrief)) {
    const readMs = requests === 0 ? measuring.firstReadMs : measuring.readMs
    if (!asked.isDeep) {
      const answer = await ask(asked.url, readMs)
      known.clear()
      known.set(asked.url, answer)
      continue
    }
    const first = known.get(asked.url) ?? (await ask(asked.url, readMs))
    for (const url of await deepOf(asked, opened.values, first, (url) => ask(url, readMs))) await ask(url, readMs)
  }
  return requests
}

async function leastOf(opened: Opened, operation: Operation, url: string, measuring: Measuring) {
  let best = await once(opened, operation, url, measuring)
  // A long list has many turns: reading it once more is enough.
  const most = best.measured.wholeMs > 5000 ? 2 : mostTimes
  for (let times = 1; times < most && isSlow(best.measured, measuring); times++) {
    const next = await once(opened, operation, url, measuring)
    const least = (key: 'turnMs' | 'turnWallMs' | 'wholeMs') => Math.min(best.measured[key], next.measured[key])
    const [turnMs, turnWallMs, wholeMs] = [least('turnMs'), least('turnWallMs'), least('wholeMs')]
    if (next.measured.statementMs < best.measured.statementMs) best = next
    Object.assign(best.measured, { turnMs, turnWallMs, wholeMs })
  }
  return best
}

const isSlow = (measured: Measured, { isRepeated }: Measuring): boolean => isRepeated && shareOfLimit(measured) > 0.8

async function once(opened: Opened, operation: Operation, url: string, { statements, readMs, ran }: Measuring) {
  statements.take()
  const before = performance.now()
  const turn = await longestTurn(async () => await readAnswer(await opened.fetch(url), readMs))
  const wholeMs = performance.now() - before
  let [statement, statementMs] = ['', 0]
  for (const [text, ms] of statements.take()) {
    ran(text)
    if (ms > statementMs) [statement, statementMs] = [text, ms]
  }
  const { bytes, ...answer } = turn.value
  const measured: Measured = {
    service: opened.name,
    operation: operation.name,
    request: shown({ operation, url }),
    status: answer.status,
    turnMs: turn.ms,
    turnWallMs: turn.wallMs,
    statementMs,
    statement,
    bytes,
    wholeMs,
  }
  return { measured, answer }
}
