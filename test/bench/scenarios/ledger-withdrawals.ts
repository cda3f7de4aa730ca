import type { Load } from '../drive'
import type { LedgerSize } from '../ledger-seed'
import { ledger, rawLedger } from '../ledger-subjects'
import type { Scenario } from '../scenario'

const size: LedgerSize = { accounts: 5000, deposits: 5000 }
const from = (accounts: number): Load => ({
  path: '/transactions/withdrawal',
  script: 'ledger-withdrawal.lua',
  env: { ACCOUNTS: String(accounts) },
})

const hot = 'service, one hot account'
const large = 'service, a million entries before'

/** POST /transactions/withdrawal: hold, journal entry and event, on the disk for every answer. */
export const ledgerWithdrawals: Scenario = {
  name: 'ledger-withdrawals',
  title: 'POST /transactions/withdrawal, any of 5,000 accounts',
  load: from(5000),
  connections: [1, 16, 64, 256],
  subjects: [
    ledger({ size }),
    ledger({ name: hot, size, load: from(1) }),
    ledger({ name: large, size: { accounts: 5000, deposits: 500_000 } }),
    rawLedger({ size }),
  ],
  goals: [
    { of: 'service', connections: 64, share: 0.6, against: 'raw SQL, grouped' },
    { of: 'service', connections: 64, p99BelowMs: 25 },
    { of: hot, connections: 64, share: 0.95, against: 'service' },
    { of: large, connections: 64, share: 0.8, against: 'service' },
  ],
}
