import { ratioInWords, ratioTo, verdicts } from './goals'
import type { Result } from './measure'
import type { Scenario } from './scenario'

type Cells = readonly string[]

/** Lines up the columns of a Markdown table; those named in `right` to the right. */
export function table(head: Cells, rows: readonly Cells[], right: readonly string[]): string {
  const widths = head.map((title, i) => Math.max(title.length, 3, ...rows.map((row) => row[i]?.length ?? 0)))
  const isRight = (i: number) => right.includes(head[i] ?? '')
  const line = (cells: Cells) =>
    `| ${cells.map((cell, i) => (isRight(i) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join(' | ')} |`
  const rule = widths.map((width, i) => (isRight(i) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

const numbers = ['conn.', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs', 'RSS MB']

/** One row per scenario, number of connections and subject. */
export function loadTable(measured: readonly { scenario: Scenario; results: readonly Result[] }[]): string {
  const rows = measured.flatMap(({ scenario, results }) =>
    results.map((result) => [
      result === results[0] ? scenario.title : '',
      result.subject,
      String(result.connections),
      Math.round(result.requestsPerSecond).toLocaleString('en'),
      result.p50Ms.toFixed(2),
      result.p99Ms.toFixed(2),
      result.cpuUs.toFixed(1),
      result.memoryMb.toFixed(0),
      ratios(result, results),
      verdicts(scenario, result, results)
        .map(({ goal, outcome }) => `${goal}: ${outcome}`)
        .join('; '),
    ]),
  )
  return table(['scenario', 'subject', ...numbers, 'beside', 'goal'], rows, numbers)
}

function ratios(result: Result, all: readonly Result[]): string {
  if (result.floor) return ''
  const others = all.filter(({ floor, connections }) => floor && connections === result.connections)
  return others
    .map((other) => {
      const byCpu = ratioInWords(other.cpuUs / result.cpuUs)
      return `${ratioInWords(ratioTo(other.subject, result, all))} of ${other.subject} (by CPU ${byCpu})`
    })
    .join('; ')
}

/** One row per goal: what is wanted of what, and what was found. */
export function goalTable(measured: readonly { scenario: Scenario; results: readonly Result[] }[]): string {
  const rows = measured.flatMap(({ scenario, results }) =>
    results.flatMap((result) =>
      verdicts(scenario, result, results).map(({ goal, found, outcome }) => [
        scenario.title,
        result.subject,
        String(result.connections),
        goal,
        found,
        outcome,
      ]),
    ),
  )
  return table(['goal of', 'subject', 'connections', 'wanted', 'found', 'outcome'], rows, ['connections', 'found'])
}
