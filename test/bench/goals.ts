import { median } from './drive'
import type { Result } from './measure'
import type { Goal, Scenario } from './scenario'

export interface Verdict {
  /** The goal and what became of it, in words. */
  says: string
  met: boolean
}

/** What became of a subject's goals at its number of connections. */
export const verdicts = (scenario: Scenario, result: Result, all: readonly Result[]): Verdict[] =>
  scenario.goals
    .filter((goal) => goal.of === result.subject && goal.connections === result.connections)
    .map((goal) => judge(goal, result, all))

function judge(goal: Goal, result: Result, all: readonly Result[]): Verdict {
  if ('p99BelowMs' in goal) {
    const met = result.p99Ms < goal.p99BelowMs
    return { met, says: `p99 below ${goal.p99BelowMs} ms: ${word(met)}` }
  }
  const { share, against } = goal
  const ratio = ratioTo(against, result, all)
  const wanted = share >= 2 ? `${share}×` : `${Math.round(share * 100)} %`
  if (Number.isNaN(ratio)) return { met: false, says: `at least ${wanted} of ${against}: **not measured**` }
  const met = ratio >= share
  return { met, says: `at least ${wanted} of ${against}: ${word(met)}` }
}

const word = (met: boolean) => (met ? 'met' : '**missed**')

/** Requests per second beside another subject's under the same load: the middle of the rounds' ratios. */
export function ratioTo(against: string, result: Result, all: readonly Result[]): number {
  const other = all.find(({ subject, connections }) => subject === against && connections === result.connections)
  return median(result.perRound.map((rate, round) => rate / (other?.perRound[round] ?? Number.NaN)))
}
