import type { BlockchainDeps } from '../deps'
import { keepUntold, tellFees } from '../movements/untold-fees'
import type { AccountSource, Chain } from '../networks/network'
import { ownOrders } from '../sends/own-orders'
import { findCursor, putCursor } from '../watching/cursors'
import { putRightWatched, type WatchedRow } from '../watching/watched'
import { confirmDeposits, hasPending, recordTransfers } from './transfers'

/** Addresses queried concurrently. */
const together = 8

/** Reads the movements at the accounts of each watched address since their cursors. All are already final. */
export async function scanAccounts(deps: BlockchainDeps, chain: Chain, source: AccountSource): Promise<boolean> {
  const byKey = await deps.watched(chain.settings.name)
  const watched = [...byKey.values()]
  for (let at = 0; at < watched.length; at += together) {
    await Promise.all(
      watched.slice(at, at + together).map((of) => scanAddress(deps, chain.settings.name, source, { of, byKey })),
    )
  }
  if (await hasPending(deps.store.read, chain.settings.name)) {
    await deps.store.commit((tx) => confirmDeposits(tx, chain.settings.name, Number.MAX_SAFE_INTEGER, deps.clock()))
  }
  await tellFees(deps, chain, Number.MAX_SAFE_INTEGER)
  return false
}

async function scanAddress(
  deps: BlockchainDeps,
  network: string,
  source: AccountSource,
  { of, byKey }: { of: WatchedRow; byKey: ReadonlyMap<string, WatchedRow> },
): Promise<void> {
  const { store, config, clock } = deps
  for (const account of await source.accountsOf(of.address)) {
    const cursor = await findCursor(store.read, network, account)
    const { transfers, last } = await source.read(account, cursor?.hash ?? null, of.watchedAt)
    if (last === null) continue
    const own = await ownOrders(deps, network, transfers, byKey)
    await store.commit(async (tx) => {
      await putRightWatched(tx, byKey, transfers, clock())
      await recordTransfers(tx, network, transfers, { dust: config.dust, own })
      await keepUntold(tx, network, transfers, own)
      await putCursor(tx, network, { block: 0, hash: last }, account)
    })
  }
}
