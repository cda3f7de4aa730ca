import { ledger } from '../ledger-subjects'
import { transactionManager } from '../payment-subjects'
import type { Scenario } from '../scenario'

const size = { participants: 200, payments: 10_000 }
const withdrawals = 'core ledger, withdrawals'

/** POST /transfer: payment, history, credit line, event and the answer's key, on the disk for every answer. */
export const transfers: Scenario = {
  name: 'transfers',
  title: 'POST /transfer, between any of 200 participants with credit lines',
  load: { path: '/transfer', script: 'new-transfer.lua', env: { PARTICIPANTS: String(size.participants) } },
  connections: [1, 64],
  subjects: [
    transactionManager({ size }),
    ledger({
      name: withdrawals,
      size: { accounts: 5000, deposits: 5000 },
      load: { path: '/transactions/withdrawal', script: 'ledger-withdrawal.lua', env: { ACCOUNTS: '5000' } },
    }),
  ],
  goals: [
    { of: 'service', connections: 64, perSecond: 5000 },
    { of: 'service', connections: 64, share: 0.7, against: withdrawals },
  ],
}
