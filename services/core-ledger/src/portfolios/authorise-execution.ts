import type { ExecutionToAuthorise } from '@bursar/contracts/core-ledger'
import { formatAmount } from '@bursar/money'
import {
  and,
  type Db,
  eq,
  inArray,
  isNull,
  param,
  prepared,
  queryAmong,
  rowBy,
  type Tx,
  upsertInto,
} from '@bursar/store'
import { findStanding, inactivityOf } from '../accounts/accounts'
import { type AssetRow, assetsOfCoin } from '../assets/assets'
import { assets } from '../assets/assets.table'
import { balances } from '../ledger/balances.table'
import { listShortfalls } from '../movements/shortfalls'
import { normalNetwork } from '../networks/networks'
import { authorisedExecutions, type Take } from './authorised-executions.table'

/**
 * Authorises a portfolio's transaction for signing: null if it may be signed, and then the amounts that it takes are no
 * longer available; otherwise the reason. A transaction that was authorised before keeps its entry when it is asked for
 * again: it may have been signed.
 */
export async function authoriseExecution(tx: Tx, asked: ExecutionToAuthorise, now: Date): Promise<string | null> {
  const accountId = asked.accountId.toLowerCase()
  const network = normalNetwork(asked.network)
  const account = await findStanding(tx, accountId)
  if (account?.type !== 'PORTFOLIO') return `Account ${accountId} is no portfolio account`
  const inactive = inactivityOf(account)
  if (inactive !== null) return inactive
  const known = await byId(tx, asked.id)
  if (known && (known.accountId !== accountId || known.network !== network)) {
    return `Execution ${asked.id} is of another account or network`
  }
  if (known && (known.confirmedAt ?? known.endedAt)) return `Execution ${asked.id} has ended`
  const taken = await takesOf(tx, asked)
  const reason =
    (await whyShort(tx, accountId, taken)) ??
    // Withdrawals ordered after its first authorisation wait for it, so it does not wait for them.
    (asked.isOpaque && !known?.isOpaque ? await whyHeld(tx, accountId, network) : null) ??
    (await whyTooMuch(tx, { id: asked.id, accountId, taken }))
  if (reason !== null) return reason
  const takes: Take[] = taken.map(({ asset, amount }) => ({ assetId: asset.id, amount: `${amount}` }))
  const { id, isOpaque } = asked
  await put(tx).execute({
    id,
    accountId,
    network,
    takes,
    isOpaque,
    authorisedAt: now,
    sentHash: null,
    confirmedAt: null,
    txHash: null,
    endedAt: null,
  })
  return null
}

/** The amounts that unfinished authorised executions of an account take, by asset id, without the execution `but`. */
export async function takenOf(db: Db, accountId: string, but = ''): Promise<Map<string, bigint>> {
  const taken = new Map<string, bigint>()
  for (const { id, takes } of await openOfAccounts(db, [accountId])) {
    if (id === but) continue
    for (const { assetId, amount } of takes) taken.set(assetId, (taken.get(assetId) ?? 0n) + BigInt(amount))
  }
  return taken
}

/**
 * Portfolios with an unfinished execution whose amounts cannot be decoded, as `<account> <network>`, each with the
 * reason why its withdrawals wait: the execution may take the amounts that they hold.
 */
export async function opaqueExecutions(db: Db, accountIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await openOfAccounts(db, accountIds)
  return new Map(
    rows
      .filter(({ isOpaque }) => isOpaque)
      .map(({ id, accountId, network }) => [
        `${accountId} ${network}`,
        `Execution ${id} of the portfolio is under way on ${network}, and what it takes cannot be read`,
      ]),
  )
}

interface Taken {
  asset: AssetRow
  amount: bigint
}

/** The amounts that it takes of assets known to the ledger, each asset once. */
async function takesOf(tx: Tx, { takes, network }: ExecutionToAuthorise): Promise<Taken[]> {
  const taken = new Map<string, Taken>()
  for (const { contractAddress, amount } of takes) {
    for (const asset of await assetsOfCoin(tx, network, contractAddress)) {
      taken.set(asset.id, { asset, amount: (taken.get(asset.id)?.amount ?? 0n) + BigInt(amount) })
    }
  }
  return [...taken.values()].filter(({ amount }) => amount > 0n)
}

/** The reason of a shortfall of the account, or of an asset that it takes. */
async function whyShort(tx: Tx, accountId: string, taken: readonly Taken[]): Promise<string | null> {
  const found = (await listShortfalls(tx)).find(
    (one) => one.accountId === accountId || (!one.accountId && taken.some(({ asset }) => asset.id === one.assetId)),
  )
  return found?.reason ?? null
}

/** An execution that cannot be decoded may take amounts that the account's withdrawals hold. */
async function whyHeld(tx: Tx, accountId: string, network: string): Promise<string | null> {
  const held = (await heldBy(tx).execute({ accountId })).find(
    (one) => one.frozen > 0n && normalNetwork(one.network) === network,
  )
  if (!held) return null
  const { frozen, decimals, code } = held
  return (
    `What the call takes cannot be read from it, and ${formatAmount(frozen, decimals)} ${code} of the account are held ` +
    `for withdrawals on ${network}: wait until they have ended`
  )
}

/** Whether it takes more than is available after the other executions of the account. */
async function whyTooMuch(
  tx: Tx,
  { id, accountId, taken }: { id: string; accountId: string; taken: readonly Taken[] },
): Promise<string | null> {
  if (taken.length === 0) return null
  const others = await takenOf(tx, accountId, id)
  const available = new Map((await heldBy(tx).execute({ accountId })).map((one) => [one.assetId, one.available]))
  for (const { asset, amount } of taken) {
    const free = (available.get(asset.id) ?? 0n) - (others.get(asset.id) ?? 0n)
    if (amount <= free) continue
    const [asked, left] = [amount, free > 0n ? free : 0n].map((each) => formatAmount(each, asset.decimals))
    return `The transaction takes up to ${asked} ${asset.code}; ${left} ${asset.code} are available`
  }
  return null
}

const heldBy = prepared((db) =>
  db
    .select({
      assetId: balances.assetId,
      available: balances.available,
      frozen: balances.frozen,
      network: assets.network,
      decimals: assets.decimals,
      code: assets.code,
    })
    .from(balances)
    .innerJoin(assets, eq(assets.id, balances.assetId))
    .where(eq(balances.accountId, param('accountId'))),
)
const openOfAccounts = queryAmong(
  (ids) => (db) =>
    db
      .select()
      .from(authorisedExecutions)
      .where(and(inArray(authorisedExecutions.accountId, ids), isNull(authorisedExecutions.endedAt))),
)
const byId = rowBy(authorisedExecutions, 'id')
const put = upsertInto(authorisedExecutions, ['id'], ['takes', 'isOpaque', 'authorisedAt'])
