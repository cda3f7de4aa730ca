// Which of the alerts in deploy/prometheus fire, by Prometheus' own promtool.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'

export const folder = join(import.meta.dir, '../../deploy/prometheus')
export const hasPromtool = Bun.which('promtool') !== null
if (!hasPromtool)
  console.warn('Tests of the alerts are skipped: promtool is missing (Debian has it in the package prometheus)')

interface AlertRule {
  alert: string
  expr: string
  for?: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}

const rulesFile = join(folder, 'alerts.yml')

/** The rules, in the order of the file. */
export const rules = (): AlertRule[] => {
  const { groups } = Bun.YAML.parse(readFileSync(rulesFile, 'utf8')) as { groups: { rules: AlertRule[] }[] }
  return groups.flatMap((group) => group.rules)
}

/** A series' name with its labels, and its values a minute apart: `1x60`, `0+1x60` (promtool's notation). */
export type Series = readonly [series: string, values: string]

/** A story for promtool: series, and whether alerts fire at some minutes for the service that has their name. */
export interface Story {
  series: readonly Series[]
  expected: { alert: string; minute: number; fires: boolean }[]
}

/** Rejects with promtool's words when an alert fires that should not, or does not fire. */
export async function tell(stories: readonly Story[]): Promise<void> {
  const tests = stories.map(({ series, expected }) => ({
    ...given(series),
    promql_expr_test: expected.map(({ alert, minute, fires }) => ({
      expr: `(count(ALERTS{alertname="${alert}",alertstate="firing",service="${alert}"}) > bool 0) or vector(0)`,
      eval_time: `${minute}m`,
      exp_samples: [{ labels: '{}', value: Number(fires) }],
    })),
  }))
  const { code, said } = await promtool(tests)
  if (code !== 0) throw new Error(said)
}

/** The names of the alerts that fire at a minute, given these series. */
export async function firing(series: readonly Series[], minute: number): Promise<string[]> {
  // None is expected: promtool's complaints name those that fire.
  const alert_rule_test = rules().map(({ alert }) => ({ alertname: alert, eval_time: `${minute}m`, exp_alerts: [] }))
  const { code, said } = await promtool([{ ...given(series), alert_rule_test }])
  const names = [...said.matchAll(/Labels:\{alertname="(\w+)"/g)].map(([, name = '']) => name)
  if ((code === 0) !== (names.length === 0)) throw new Error(said)
  return [...new Set(names)].sort()
}

const given = (series: readonly Series[]) => ({
  interval: '1m',
  input_series: series.map(([name, values]) => ({ series: name, values })),
})

async function promtool(tests: object[]): Promise<{ code: number; said: string }> {
  const file = join(tempDir(), 'test.yml')
  // What is JSON is YAML as well.
  writeFileSync(file, JSON.stringify({ rule_files: [rulesFile], evaluation_interval: '1m', tests }))
  const run = Bun.spawn(['promtool', 'test', 'rules', file], { stdout: 'pipe', stderr: 'pipe' })
  const [out, error, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited])
  return { code, said: out + error }
}
