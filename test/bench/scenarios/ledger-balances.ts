import type { LedgerSize } from '../ledger-seed'
import { ledger, rawLedger } from '../ledger-subjects'
import type { Scenario } from '../scenario'

const size: LedgerSize = { accounts: 100_000, deposits: 100_000 }

/** GET /balances/account/:accountId */
export const ledgerBalances: Scenario = {
  name: 'ledger-balances',
  title: 'GET /balances/account/:id, any of 100,000 accounts',
  load: { path: '/', script: 'ledger-balances.lua', env: { ACCOUNTS: String(size.accounts) } },
  connections: [64],
  subjects: [ledger({ size }), rawLedger({ name: 'raw SQL', size })],
  goals: [],
}
