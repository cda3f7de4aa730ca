import { comparableAddress } from '@bursar/contracts/address'
import { and, type Db, eq, isNotNull, isNull, ne, or, prepared } from '@bursar/store'
import { accounts } from '../accounts/accounts.table'
import { assets } from '../assets/assets.table'
import { balances, systemBalances } from '../ledger/balances.table'
import { chainTransfers } from '../movements/chain-transfers.table'
import { hasNoReturn } from '../movements/returns'
import { transactions } from '../movements/transactions.table'
import { work } from '../movements/work.table'
import { normalNetwork } from '../networks/networks'
import { unfolded } from '../reporting/fold-sums'

/** An asset as its chain identifies it. */
export interface Coin {
  network: string
  /** Null for the network's native asset. */
  contractAddress: string | null
  code: string
  decimals: number
}

/** The amount of one asset that must be on a chain, at addresses of no portfolio; in minor units. */
export interface Owed extends Coin {
  /** The ledger's assets that are this coin; older ledgers may have several. */
  assetIds: string[]
  /** The balances of all accounts except portfolios. */
  customers: bigint
  /** Deposits that are not credited, returns included, except those to portfolios, and those that their chain took back. */
  suspense: bigint
  /** Withdrawals that were ordered and may have been paid already. */
  underWay: bigint
  /** Network fees paid by the platform. */
  feesPaid: bigint
  /** customers + suspense − underWay. */
  amount: bigint
}

/** The same for a portfolio account, whose coins are at its own address. */
export interface PortfolioOwed extends Coin {
  accountId: string
  assetId: string
  balance: bigint
  suspense: bigint
  underWay: bigint
  /** The part of `suspense` whose returns were ordered and may have been paid already. */
  returning: bigint
}

/** Identifies an asset on its chain, independent of spelling. */
export const chainKey = (network: string, contractAddress: string | null): string =>
  `${normalNetwork(network)} ${contractAddress === null ? 'native' : comparableAddress(contractAddress)}`

/** The least amounts that must be on the chains, by chainKey. Portfolios are separate (owedToPortfolios). */
export async function owedOnChains(db: Db): Promise<Map<string, Owed>> {
  const owed = new Map<string, Owed>()
  const add = (coin: Coin, assetId: string, part: 'customers' | 'suspense' | 'underWay' | 'feesPaid', by: bigint) => {
    const key = chainKey(coin.network, coin.contractAddress)
    const { network, contractAddress, code, decimals } = coin
    const zero = { customers: 0n, suspense: 0n, underWay: 0n, feesPaid: 0n, amount: 0n }
    const known = owed.getOrInsert(key, { network, contractAddress, code, decimals, assetIds: [], ...zero })
    if (!known.assetIds.includes(assetId)) known.assetIds.push(assetId)
    known[part] += by
    if (part !== 'feesPaid') known.amount += part === 'underWay' ? -by : by
  }
  for (const { asset, assetId, name, amount } of await systemAccounts(db)) {
    // All entries sum to zero: the customers' part is what is in no other ledger account.
    add(asset, assetId, 'customers', -amount)
    if (name.startsWith('suspense:') || name.startsWith('returning:')) add(asset, assetId, 'suspense', amount)
    if (name.startsWith('fees:')) add(asset, assetId, 'feesPaid', -amount)
  }
  for (const { asset, assetId, amount } of await underWay(db).execute()) add(asset, assetId, 'underWay', amount)
  // Deposits off their chain are owed to nobody: they are not released or returned before the chain has them again.
  for (const { asset, assetId, amount } of await takenBack(db).execute()) add(asset, assetId, 'suspense', -amount)
  for (const of of (await owedToPortfolios(db)).values()) {
    add(of, of.assetId, 'customers', -of.balance)
    add(of, of.assetId, 'suspense', -of.suspense)
    add(of, of.assetId, 'underWay', -of.underWay - of.returning)
  }
  return owed
}

/** The balances of the ledger's own accounts, including entries that are not folded yet. */
async function systemAccounts(db: Db): Promise<{ asset: Coin; assetId: string; name: string; amount: bigint }[]> {
  const [stored, { outside }, known] = await Promise.all([systemRows(db).execute(), unfolded(db), coins(db).execute()])
  const byId = new Map(known.map(({ id, ...coin }) => [id, coin]))
  return [...stored, ...outside].flatMap((row) => {
    const coin = byId.get(row.assetId)
    return coin ? [{ ...row, asset: coin }] : []
  })
}

/** The amounts that must be at each portfolio's own addresses, by `<account> <chainKey>`. */
export async function owedToPortfolios(db: Db): Promise<Map<string, PortfolioOwed>> {
  const owed = new Map<string, PortfolioOwed>()
  type Row = { accountId: string; assetId: string; asset: Coin; amount: bigint }
  const add = ({ accountId, assetId, asset, amount }: Row, part: 'balance' | 'suspense' | 'underWay' | 'returning') => {
    const key = `${accountId} ${chainKey(asset.network, asset.contractAddress)}`
    const zero = { balance: 0n, suspense: 0n, underWay: 0n, returning: 0n }
    owed.getOrInsert(key, { accountId, assetId, ...asset, ...zero })[part] += amount
  }
  for (const { available, frozen, ...row } of await ofPortfolios(db).execute()) {
    add({ ...row, amount: available + frozen }, 'balance')
  }
  for (const row of await depositsOfPortfolios(db).execute()) add(row, 'suspense')
  for (const { amount, ...row } of await returnedByPortfolios(db).execute())
    add({ ...row, amount: -amount }, 'suspense')
  for (const row of await underWay(db).execute()) {
    if (row.accountType === 'PORTFOLIO') add(row, row.returns === null ? 'underWay' : 'returning')
  }
  return owed
}

/** The accounts whose coins are at their own addresses. */
export const portfolioIds = async (db: Db): Promise<Set<string>> =>
  new Set((await allPortfolios(db).execute()).map(({ id }) => id))

const allPortfolios = prepared((db) =>
  db.select({ id: accounts.id }).from(accounts).where(eq(accounts.type, 'PORTFOLIO')),
)
const asset = {
  network: assets.network,
  contractAddress: assets.contractAddress,
  code: assets.code,
  decimals: assets.decimals,
}
const systemRows = prepared((db) =>
  db
    .select({ assetId: systemBalances.assetId, name: systemBalances.name, amount: systemBalances.amount })
    .from(systemBalances),
)
const coins = prepared((db) => db.select({ ...asset, id: assets.id }).from(assets))
const underWay = prepared((db) =>
  db
    .select({
      asset,
      assetId: assets.id,
      accountId: transactions.accountId,
      accountType: accounts.type,
      amount: transactions.amount,
      returns: transactions.returns,
    })
    .from(work)
    .innerJoin(transactions, eq(transactions.id, work.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .leftJoin(accounts, eq(accounts.id, transactions.accountId))
    .where(and(eq(work.lane, 'chain'), isNotNull(work.orderedAt))),
)
/** Deposits in suspense that are not on their chain; of portfolios nothing in suspense counts. */
const takenBack = prepared((db) =>
  db
    .select({ asset, assetId: assets.id, amount: transactions.amount })
    .from(chainTransfers)
    .innerJoin(transactions, eq(transactions.id, chainTransfers.transactionId))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .leftJoin(accounts, eq(accounts.id, transactions.accountId))
    .where(
      and(
        isNotNull(chainTransfers.reversedAt),
        ne(transactions.status, 'COMPLETED'),
        or(isNull(accounts.type), ne(accounts.type, 'PORTFOLIO')),
        hasNoReturn,
      ),
    ),
)
const ofPortfolios = prepared((db) =>
  db
    .select({
      accountId: accounts.id,
      asset,
      assetId: assets.id,
      available: balances.available,
      frozen: balances.frozen,
    })
    .from(accounts)
    .innerJoin(balances, eq(balances.accountId, accounts.id))
    .innerJoin(assets, eq(assets.id, balances.assetId))
    .where(eq(accounts.type, 'PORTFOLIO')),
)
const depositsOfPortfolios = prepared((db) =>
  db
    .select({ accountId: accounts.id, asset, assetId: assets.id, amount: transactions.amount })
    .from(accounts)
    .innerJoin(transactions, eq(transactions.accountId, accounts.id))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(eq(accounts.type, 'PORTFOLIO'), eq(transactions.type, 'DEPOSIT'), ne(transactions.status, 'COMPLETED'))),
)
/** The returned amounts of those accounts. */
const returnedByPortfolios = prepared((db) =>
  db
    .select({ accountId: accounts.id, asset, assetId: assets.id, amount: transactions.amount })
    .from(accounts)
    .innerJoin(transactions, eq(transactions.accountId, accounts.id))
    .innerJoin(assets, eq(assets.id, transactions.assetId))
    .where(and(eq(accounts.type, 'PORTFOLIO'), isNotNull(transactions.returns), eq(transactions.status, 'COMPLETED'))),
)
