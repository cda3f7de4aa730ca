import { join } from 'node:path'
import { tempDir } from '@bursar/testing'
import type { Load } from '../drive'
import type { LedgerSize } from '../ledger-seed'
import { ledger, rawLedger } from '../ledger-subjects'
import type { Scenario } from '../scenario'

/** Each is screened once; together they must last for all rounds. */
const size: LedgerSize = { accounts: 5000, deposits: 5000, pending: 600_000 }
const counters = tempDir()
const ofSubject = (name: string): Load => ({
  path: '/transactions/complete-screening',
  script: 'ledger-screening.lua',
  env: { COUNTER: join(counters, name) },
})

/** POST /transactions/complete-screening, not passed: the transaction is frozen. */
export const ledgerScreening: Scenario = {
  name: 'ledger-screening',
  title: 'POST /transactions/complete-screening',
  load: ofSubject('service'),
  connections: [1, 64],
  subjects: [ledger({ size }), rawLedger({ size, load: ofSubject('raw') })],
  goals: [{ of: 'service', connections: 64, share: 0.6, against: 'raw SQL, grouped' }],
}
