import { readCall } from './call'
import { type Static, t } from './schema'

/** One asset's balance in one account (spec 2, Balance record); amounts are decimal strings. */
export const BalanceRecord = t.Object({
  customerId: t.String(),
  accountId: t.String(),
  assetId: t.String(),
  assetCode: t.String(),
  assetName: t.String(),
  availableBalance: t.String(),
  frozenBalance: t.String(),
  totalBalance: t.String(),
})
export type BalanceRecord = Static<typeof BalanceRecord>

/** An account's balances; [] when it has none. The asset's decimals are those of its amounts' unit. */
export const getAccountBalances = readCall(
  'core-ledger',
  'GET',
  '/internal/balances/account/:accountId',
  t.Array(t.Object({ ...BalanceRecord.properties, assetDecimals: t.Integer({ minimum: 0 }) })),
)
