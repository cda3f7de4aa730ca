import type { Scenario } from '../scenario'
import { createAsset } from './create-asset'
import { createRate, createStaticRate } from './create-rate'
import { gateway } from './gateway'
import { getAsset } from './get-asset'
import { ledgerBalances } from './ledger-balances'
import { ledgerScreening } from './ledger-screening'
import { ledgerWithdrawals } from './ledger-withdrawals'
import { listAssets } from './list-assets'
import { pollEvents } from './poll-events'
import { transfers } from './transfers'

/** All there is to measure under load, in the order of the table; `entries` in the journal of the large ledger. */
export const scenariosFor = ({ entries }: { entries: number }): readonly Scenario[] => [
  createAsset,
  ...listAssets,
  ...getAsset,
  gateway,
  createStaticRate,
  createRate,
  ledgerWithdrawals(entries),
  ledgerScreening,
  ledgerBalances,
  transfers,
  pollEvents,
]
