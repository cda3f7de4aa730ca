import type { BalanceRecord } from '@bursar/contracts/core-ledger'
import { formatAmount } from '@bursar/money'
import { and, asc, type Db, eq, param, type Store, variants } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { balances } from '../bookkeeping/balances.table'
import type { BalanceFilter } from './balance-filter'

/** With the decimals that the amounts are in, for services that compute with them. */
export type ExactBalance = BalanceRecord & { assetDecimals: number }

/** What an account holds, one record per asset it ever held; read as it is now, never kept. */
export const accountBalances = async (store: Store, accountId: string, filter: BalanceFilter = {}) =>
  (await ofAccount(store.read, accountId, filter)).map(toBalance)

/** The same across all accounts of a customer. */
export const customerBalances = async (store: Store, customerId: string, filter: BalanceFilter = {}) => {
  const values = { ...filter, customerId: customerId.toLowerCase() }
  const rows = await byCustomer(filtersIn(filter))(store.read).execute(values)
  return rows.map(toBalance)
}

/** An account's balances with their decimals, for other services. */
export const exactAccountBalances = async (store: Store, accountId: string): Promise<ExactBalance[]> =>
  (await ofAccount(store.read, accountId, {})).map((row) => ({ ...toBalance(row), assetDecimals: row.decimals }))

interface Row {
  customerId: string | null
  accountId: string
  assetId: string
  code: string
  name: string
  decimals: number
  available: bigint
  frozen: bigint
}

const ofAccount = (read: Db, accountId: string, filter: BalanceFilter): Promise<Row[]> =>
  byAccount(filtersIn(filter))(read).execute({ ...filter, account: accountId.toLowerCase() })

const toBalance = ({
  customerId,
  accountId,
  assetId,
  code,
  name,
  decimals,
  available,
  frozen,
}: Row): BalanceRecord => ({
  customerId: customerId ?? '',
  accountId,
  assetId,
  assetCode: code,
  assetName: name,
  availableBalance: formatAmount(available, decimals),
  frozenBalance: formatAmount(frozen, decimals),
  totalBalance: formatAmount(available + frozen, decimals),
})

const conditions = {
  assetCode: eq(assets.code, param('assetCode')),
  assetId: eq(balances.assetId, param('assetId')),
  accountId: eq(balances.accountId, param('accountId')),
}
type Filter = keyof typeof conditions
const filterNames = Object.keys(conditions) as Filter[]
const filtersIn = (filter: BalanceFilter) => filterNames.filter((name) => filter[name] !== undefined)

const columns = {
  customerId: accounts.customerId,
  accountId: balances.accountId,
  assetId: balances.assetId,
  code: assets.code,
  name: assets.name,
  decimals: assets.decimals,
  available: balances.available,
  frozen: balances.frozen,
}

const statement = (owner: typeof isOfAccount | typeof isOfCustomer) =>
  variants(
    (filters: Filter[]) => (db) =>
      db
        .select(columns)
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
