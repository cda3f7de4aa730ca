/**
 * `bun run audit`: recomputes the core ledger's books from its journal and says whether they are right. Only reads, and
 * may run beside the service.
 */
import type { LedgerHead } from '@bursar/contracts/ledger-seals'
import { openForReading } from '@bursar/store'
import { type AuditReport, auditAll } from '../services/core-ledger/src/audit/audit'
import { AuditDifference } from '../services/core-ledger/src/audit/audit-difference'
import { differenceFrom } from '../services/core-ledger/src/reconciliation/heads'
import { checkTrail } from './audit/audit-trail'
import { checkDeposits } from './audit/deposits'
import { headFrom, headFromService } from './audit/newest-head'
import { dataDirOption, runCommand } from './stack/command'
import { dataDirOf, knownPlaceOf, placeOf } from './stack/place'

const help = `Usage: bun run audit [--data-dir <folder>] [--tracker <file or URL>]

Checks the books from the journal, and prints what it checked:

  hash chain     recomputed over the entries and the terms of their transactions
  balances       every balance and rollup, recomputed from the entries
  transactions   each compared with its entries and the terms of its asset
  tracker        the ledger compared with the newest sealed head that the log tracker keeps
  deposits       the transfer of each credited deposit, asked of the blockchain service if it answers
  audit trail    the gateway's hash chain, if its database is in the same folder

Only reads, and may run beside the services. Exit code: 0 when all agrees, 1 at the first difference, which it names.

  --data-dir <folder>      where core.sqlite is (DATA_DIR, or data); with DATABASE_URL the databases are on its server
  --tracker <file or URL>  the log tracker's database, or where it answers (tracker.sqlite in the same folder, if any)
  --help                   this text
`

const seconds = (since: number): string => ((performance.now() - since) / 1000).toFixed(1)

interface Checked {
  report: AuditReport
  head: LedgerHead | null
  /** What the comparison of the deposits with their chains said. */
  deposits: string
  /** What the check of the audit trail said. */
  trail: string
}

function textOf({ report, head, deposits, trail }: Checked, since: number): string {
  const { entries, sealed, balances, transactions } = report
  return [
    `hash chain     ${sealed} of ${entries} entries are sealed, and all seals are right`,
    `balances       ${balances} balances of accounts, and all rollups, equal the sums of ${entries} entries, none is negative`,
    `transactions   ${transactions} transactions have the entries of their status, and the terms of their assets`,
    head
      ? `tracker        entry ${head.lastSeq} is as it was sealed at ${head.sealedAt}`
      : 'tracker        not compared: no sealed head was found (--tracker)',
    `deposits       ${deposits}`,
    ...trail.trim().split('\n').filter(Boolean),
    `The books are right (${seconds(since)} s).`,
  ].join('\n')
}

/** The newest head that the tracker keeps; null when there is none to compare with. */
async function newestHead(dataDir: string, tracker: string | undefined): Promise<LedgerHead | null> {
  if (tracker && /^https?:/.test(tracker)) return await headFromService(tracker, dataDir)
  const place = tracker ? { file: tracker } : knownPlaceOf('log-tracker', dataDir)
  return place && (await headFrom(place))
}

const options = { ...dataDirOption, tracker: { type: 'string' } } as const

await runCommand({ name: 'audit', help, options }, async (values) => {
  const since = performance.now()
  const dataDir = dataDirOf(values['data-dir'])
  const database = await openForReading(placeOf('core-ledger', dataDir))
  // First, for the ledger goes on: what it sealed by then it must still have.
  const head = await newestHead(dataDir, values.tracker)
  const difference = head && (await differenceFrom(database.read, head))
  if (difference) throw new AuditDifference(difference)
  const report = await auditAll(database)
  const deposits = await checkDeposits(database.read, dataDir)
  await database.close()
  return textOf({ report, head, deposits, trail: await checkTrail(knownPlaceOf('gateway', dataDir)) }, since)
})
