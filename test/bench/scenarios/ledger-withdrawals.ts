import type { Load } from '../drive'
import type { LedgerSize } from '../ledger-seed'
import { ledger, rawLedger } from '../ledger-subjects'
import { postgresWithdrawals } from '../postgres/subject'
import type { Scenario } from '../scenario'

/** 10,000 entries. */
const size: LedgerSize = { accounts: 5000, deposits: 5000 }
const from = (accounts: number): Load => ({
  path: '/transactions/withdrawal',
  script: 'ledger-withdrawal.lua',
  env: { ACCOUNTS: String(accounts) },
})

const hot = 'service, one hot account'
const oneCore = postgresWithdrawals('one core')
const allCores = postgresWithdrawals('all cores')

/** POST /transactions/withdrawal: hold, journal entry and event, on the disk for every answer. */
export function ledgerWithdrawals(entries: number): Scenario {
  const large = `service, ${entries.toLocaleString('en')} entries before`
  return {
    name: 'ledger-withdrawals',
    title: 'POST /transactions/withdrawal, any of 5,000 accounts',
    load: from(5000),
    connections: [1, 16, 64, 256],
    subjects: [
      ledger({ size }),
      ledger({ name: hot, size, load: from(1) }),
      // Each deposit is two entries.
      ledger({ name: large, size: { accounts: 5000, deposits: Math.ceil(entries / 2) } }),
      rawLedger({ size }),
      oneCore,
      allCores,
    ],
    goals: [
      { of: 'service', connections: 1, share: 0.75, against: 'raw SQL, grouped' },
      { of: 'service', connections: 64, share: 0.9, against: 'raw SQL, grouped' },
      { of: 'service', connections: 64, share: 2, against: oneCore.name },
      { of: 'service', connections: 64, share: 1.1, against: allCores.name },
      { of: 'service', connections: 64, p99BelowMs: 25 },
      { of: hot, connections: 64, share: 0.95, against: 'service' },
      { of: large, connections: 64, share: 0.9, against: 'service' },
    ],
  }
}
