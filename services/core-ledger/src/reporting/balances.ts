import type { BalanceRecord } from '@bursar/contracts/core-ledger'
import { formatAmount } from '@bursar/money'
import { and, asc, caseless, type Db, eq, param, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { balances } from '../ledger/balances.table'
import type { BalanceFilter } from './balance-filter'

/** With the decimals of the amounts, for services that compute with them. */
export type ExactBalance = BalanceRecord & { assetDecimals: number }

/** The current balances of an account, one row per asset that it ever held; never cached. */
export const accountBalances = (db: Db, accountId: string, filter: BalanceFilter = {}): Promise<BalanceRow[]> =>
  byAccount({ filters: filtersIn(filter) })(db).execute({ ...filter, account: accountId.toLowerCase() })

/** The same across all accounts of a customer. */
export const customerBalances = (db: Db, customerId: string, filter: BalanceFilter = {}): Promise<BalanceRow[]> =>
  byCustomer({ filters: filtersIn(filter) })(db).execute({ ...filter, customerId: customerId.toLowerCase() })

/** Spec 2, Balance record. */
export const toBalance = ({ available, frozen, decimals, ...row }: BalanceRow): BalanceRecord => ({
  customerId: row.customerId ?? '',
  accountId: row.accountId,
  assetId: row.assetId,
  assetCode: row.code,
  assetName: row.name,
  availableBalance: formatAmount(available, decimals),
  frozenBalance: formatAmount(frozen, decimals),
  totalBalance: formatAmount(available + frozen, decimals),
})

/** The same with its decimals, for services that compute with the amounts. */
export const toExactBalance = (row: BalanceRow): ExactBalance => ({ ...toBalance(row), assetDecimals: row.decimals })

const conditions = {
  assetCode: eq(caseless(assets.code), caseless(param('assetCode'))),
  assetId: eq(balances.assetId, param('assetId')),
  accountId: eq(balances.accountId, param('accountId')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]
const filtersIn = (filter: BalanceFilter) => filterNames.filter((name) => filter[name] !== undefined)

export const balanceColumns = {
  customerId: accounts.customerId,
  accountId: balances.accountId,
  assetId: balances.assetId,
  code: assets.code,
  name: assets.name,
  decimals: assets.decimals,
  network: assets.network,
  available: balances.available,
  frozen: balances.frozen,
}

const statement = (owner: typeof isOfAccount | typeof isOfCustomer) =>
  variants(
    ({ filters }: { filters: Filter[] }) =>
      (db) =>
        db
          .select(balanceColumns)
          .from(accounts)
          .innerJoin(balances, eq(balances.accountId, accounts.id))
          .innerJoin(assets, eq(assets.id, balances.assetId))
          .where(and(owner, ...filters.map((name) => conditions[name])))
          .orderBy(asc(balances.accountId), asc(balances.assetId)),
  )

const isOfAccount = eq(accounts.id, param('account'))
const isOfCustomer = eq(accounts.customerId, param('customerId'))
const byAccount = statement(isOfAccount)
const byCustomer = statement(isOfCustomer)

export type BalanceRow = Awaited<ReturnType<ReturnType<ReturnType<typeof byAccount>>['execute']>>[number]
