import type { BlockchainDeps } from '../deps'
import type { AccountSource, Chain } from '../networks/network'
import { findCursor, putCursor } from './cursors'
import { confirmDeposits, hasPending, recordTransfer } from './transfers'
import { readWatched } from './watched'

/** How many addresses are asked about side by side. */
const together = 8

/** Reads what came to the accounts of each watched address since their cursors. All of it is final already. */
export async function scanAccounts(deps: BlockchainDeps, chain: Chain, source: AccountSource): Promise<boolean> {
  const watched = [...(await readWatched(deps.store.read, chain.settings.name)).values()]
  for (let at = 0; at < watched.length; at += together) {
    await Promise.all(watched.slice(at, at + together).map(({ address }) => scanAddress(deps, chain, source, address)))
  }
  if (await hasPending(deps.store.read, chain.settings.name)) {
    await deps.store.commit((tx) => confirmDeposits(tx, chain.settings.name, Number.MAX_SAFE_INTEGER, new Date()))
  }
  return false
}

async function scanAddress(
  { store, config }: BlockchainDeps,
  chain: Chain,
  source: AccountSource,
  address: string,
): Promise<void> {
  const network = chain.settings.name
  for (const account of await source.accountsOf(address)) {
    const cursor = await findCursor(store.read, network, account)
    const { transfers, last } = await source.read(account, cursor?.hash ?? null)
    if (last === null) continue
    await store.commit(async (tx) => {
      for (const transfer of transfers) await recordTransfer(tx, network, transfer, config.dust)
      await putCursor(tx, network, { block: 0, hash: last }, account)
    })
  }
}
