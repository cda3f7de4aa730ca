// Each alert of deploy/prometheus/alerts.yml, by promtool: when it fires, and when it does not.
import { describe, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { folder, hasPromtool, rules, type Series, tell } from './promtool'

interface Case {
  /** Series that make it fire from `minute` on, and not yet `before`. */
  faulty: Series[]
  minute: number
  before?: number
  /** Series that leave it quiet. */
  sound: Series[]
}

const of = (name: string, labels = ''): string => `${name}{job="bursar"${labels}}`
/** All series stand in one story: the service's name tells those of an alert apart. */
const ofAlert = (alert: string, series: Series[]): Series[] =>
  series.map(([name, values]) => [name.replace('}', `,service="${alert}"}`), values])
const gauge = (name: string, faulty: string, sound: string, minute: number, before?: number): Case => ({
  faulty: [[of(name), faulty]],
  sound: [[of(name), sound]],
  minute,
  before,
})
/** Rounds of work that one instance does: the other one has none. */
const rounds = (name: string, sound: string, minute: number): Case => ({
  faulty: [[of(name), '7x120']],
  sound: [
    [of(name, ',instance="first"'), '0x120'],
    [of(name, ',instance="second"'), sound],
  ],
  minute,
  before: 14,
})

const requests = (status: number, values: string): Series => [of('http_requests_total', `,status="${status}"`), values]
const bucket = (bound: string, values: string): Series => [
  of('http_request_duration_seconds_bucket', `,le="${bound}"`),
  values,
]

const cases: Record<string, Case> = {
  BursarGatewayDown: {
    faulty: [['up{job="bursar"}', '0x60']],
    sound: [['up{job="other"}', '0x60']],
    minute: 1,
    before: 0,
  },
  BursarServiceDown: gauge('bursar_up', '1x9 0x60', '1x60', 11, 10),
  BursarCheckFailing: gauge('bursar_check_ok', '1x9 0x60', '1x60', 12, 11),
  BursarWaiting: {
    faulty: [[of('bursar_waiting', ',what="orders"'), '_x10 1x60']],
    sound: [
      [of('bursar_waiting', ',what="books"'), '1x60'],
      [of('bursar_waiting', ',what="mails"'), '1x10 stale 1x10 stale _x60'],
    ],
    minute: 25,
    before: 24,
  },
  BursarErrors: {
    faulty: [requests(200, '0+90x60'), requests(503, '0+10x60')],
    sound: [requests(200, '0+99x60'), requests(503, '0+1x60')],
    minute: 12,
    before: 9,
  },
  BursarSlow: {
    faulty: [bucket('1', '0+90x60'), bucket('2.5', '0+100x60'), bucket('+Inf', '0+100x60')],
    sound: [bucket('1', '0+100x60'), bucket('2.5', '0+100x60'), bucket('+Inf', '0+100x60')],
    minute: 12,
    before: 9,
  },
  BursarMemory: gauge('process_resident_memory_bytes', '2e9x60', '3e8x60', 15, 14),
  BursarBooksDiffer: gauge('bursar_audit_ok', '1x9 0x60', '1x60', 10, 9),
  BursarBooksClosed: gauge('bursar_books_ok', '1x9 0x60', '1x60', 11, 10),
  BursarAuditTrailBroken: gauge('bursar_audit_trail_ok', '1x9 0x60', '1x60', 10, 9),
  BursarAuditStandsStill: rounds('bursar_audit_rounds', '0+1x90', 60),
  BursarJournalUnsealed: gauge('bursar_audit_unsealed_entries', '1001x60', '1000x60', 5, 4),
  BursarFailedButPaid: gauge('bursar_failed_but_paid', '0x9 1x60', '0x60', 10, 9),
  BursarReconciliationDiffers: gauge('bursar_reconciliation_differences', '0x9 1x60', '0x9 1x20 0x60', 35, 34),
  BursarReconciliationStandsStill: rounds('bursar_reconciliation_rounds', '0+0.1x120', 90),
  BursarWithdrawalStuck: gauge('bursar_work_oldest_seconds', '0+60x60', '1800x60', 31, 30),
  BursarDeadLetters: gauge('bursar_dead_letters', '0x9 1x60', '0x60', 10, 9),
  BursarEventsUnpublished: {
    faulty: [
      [of('bursar_outbox_oldest_seconds'), '0+60x60'],
      [of('bursar_outbox_depth'), '1x60'],
    ],
    // Those of a quiet service that were published stay for a while.
    sound: [
      [of('bursar_outbox_oldest_seconds'), '900x60'],
      [of('bursar_outbox_depth'), '0x60'],
    ],
    minute: 6,
    before: 5,
  },
  BursarQueueLong: gauge('bursar_queue_depth', '1001x60', '1000x60', 15, 14),
  BursarWebhooksPaused: gauge('bursar_webhook_paused_targets', '1x90', '1x50 0x40', 60, 59),
  BursarScreeningLate: gauge('bursar_sanctions_jobs_pending', '0x9 101x60', '1000x9 0 1000x60', 25, 24),
  BursarSanctionsListOld: gauge('bursar_sanctions_list_age_days', '7x9 8x90', '7x90', 70, 69),
  BursarCommitsFail: gauge('bursar_commit_failures', '0x9 1x60', '1x60', 10, 9),
  // Their age grows by a minute a minute from the start of the story on.
  BursarBackupOld: gauge('bursar_backup_taken_seconds', '-46200x60', '-40000x60', 21, 20),
  BursarDiskFull: gauge('bursar_disk_free_bytes', '6e8x9 4e8x60', '5e8x60', 10, 9),
  BursarRetentionFails: gauge('bursar_retention_ok', '1x9 0x60', '1x60', 25, 24),
  BursarDiskFilling: gauge('bursar_disk_free_bytes', '4e9x60', '6e9x60', 30, 29),
}

test('each alert has its case', () => {
  expect(Object.keys(cases).sort()).toEqual(
    rules()
      .map(({ alert }) => alert)
      .sort(),
  )
})

test.each(rules())(
  '$alert has a severity, a sentence, and its place in docs/operations.md',
  ({ alert, labels, annotations }) => {
    expect(['critical', 'warning']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/^\S.*[^.]$/)
    const [file = '', anchor] = annotations.runbook.split('#')
    expect([file, anchor]).toEqual(['docs/operations.md', alert.toLowerCase()])
    const section = readFileSync(join(folder, '../..', file), 'utf8')
      .split(/^### /m)
      .find((part) => part.startsWith(`${alert}\n`))
    for (const word of ['**Means.**', '**Look.**', '**Do.**']) expect(section).toContain(word)
  },
)

describe.skipIf(!hasPromtool)('by promtool', () => {
  test('each alert fires in time, and not otherwise', async () => {
    const all = Object.entries(cases)
    const firings = all.flatMap(([alert, { minute, before }]) => [
      { alert, minute, fires: true },
      ...(before === undefined ? [] : [{ alert, minute: before, fires: false }]),
    ])
    const silences = all.flatMap(([alert, { minute }]) =>
      [minute, 90].map((at) => ({ alert, minute: at, fires: false })),
    )
    await tell([
      { series: all.flatMap(([alert, { faulty }]) => ofAlert(alert, faulty)), expected: firings },
      { series: all.flatMap(([alert, { sound }]) => ofAlert(alert, sound)), expected: silences },
    ])
  })

  test('a disk that is full in two days is told of', async () => {
    const alert = 'BursarDiskFilling'
    const losing = (bytes: string) => ofAlert(alert, [[of('bursar_disk_free_bytes'), `60e9-${bytes}x400`]])
    await tell([
      { series: losing('20e6'), expected: [{ alert, minute: 390, fires: true }] },
      { series: losing('2e6'), expected: [{ alert, minute: 390, fires: false }] },
    ])
  })

  test('the files are sound', async () => {
    for (const [what, file] of [
      ['rules', 'alerts.yml'],
      ['config', 'prometheus.yml'],
    ] as const) {
      const run = Bun.spawn(['promtool', 'check', what, join(folder, file)], { stdout: 'ignore', stderr: 'inherit' })
      expect(await run.exited).toBe(0)
    }
  })
})
