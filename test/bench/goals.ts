import { median } from './drive'
import type { Result } from './measure'
import type { Goal, Scenario } from './scenario'

export interface Verdict {
  /** What is wanted, in words. */
  goal: string
  /** What was found, in the goal's unit. */
  found: string
  outcome: 'met' | '**missed**' | '**not measured**'
}

export const isMet = ({ outcome }: Verdict): boolean => outcome === 'met'

/** What became of a subject's goals at its number of connections. */
export const verdicts = (scenario: Scenario, result: Result, all: readonly Result[]): Verdict[] =>
  scenario.goals
    .filter((goal) => goal.of === result.subject && goal.connections === result.connections)
    .map((goal) => judge(goal, result, all))

function judge(goal: Goal, result: Result, all: readonly Result[]): Verdict {
  if ('p99BelowMs' in goal) {
    const outcome = result.p99Ms < goal.p99BelowMs ? 'met' : '**missed**'
    return { goal: `p99 below ${goal.p99BelowMs} ms`, found: `${result.p99Ms.toFixed(1)} ms`, outcome }
  }
  if ('addedP50Ms' in goal) return judgeAdded(goal, result, all)
  if ('perSecond' in goal) {
    const rate = median(result.perRound)
    const inWords = (perSecond: number) => `${Math.round(perSecond).toLocaleString('en')}/s`
    const outcome = rate >= goal.perSecond ? 'met' : '**missed**'
    return { goal: `at least ${inWords(goal.perSecond)}`, found: inWords(rate), outcome }
  }
  const { share, against } = goal
  const ratio = ratioTo(against, result, all)
  const wanted = `at least ${ratioInWords(share)} of ${against}`
  if (Number.isNaN(ratio)) return { goal: wanted, found: '', outcome: '**not measured**' }
  return { goal: wanted, found: ratioInWords(ratio), outcome: ratio >= share ? 'met' : '**missed**' }
}

function judgeAdded(
  { addedP50Ms, over }: { addedP50Ms: number; over: string },
  result: Result,
  all: readonly Result[],
): Verdict {
  const goal = `p50 less than ${addedP50Ms} ms after ${over}`
  const other = all.find(({ subject, connections }) => subject === over && connections === result.connections)
  if (!other) return { goal, found: '', outcome: '**not measured**' }
  const added = result.p50Ms - other.p50Ms
  return { goal, found: `${added.toFixed(2)} ms`, outcome: added < addedP50Ms ? 'met' : '**missed**' }
}

export const ratioInWords = (ratio: number) => (ratio >= 2 ? `${ratio.toFixed(1)}×` : `${Math.round(ratio * 100)} %`)

/** Requests per second beside another subject's under the same load: the middle of the rounds' ratios. */
export function ratioTo(against: string, result: Result, all: readonly Result[]): number {
  const other = all.find(({ subject, connections }) => subject === against && connections === result.connections)
  return median(result.perRound.map((rate, round) => rate / (other?.perRound[round] ?? Number.NaN)))
}
