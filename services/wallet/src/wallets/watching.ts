import type { WatchedAddress } from '@bursar/contracts/blockchain'
import type { Static } from '@bursar/contracts/schema'
import { AppError } from '@bursar/http'
import { asc, eq, every, isNull, type Loop, lt, or, param, prepared } from '@bursar/store'
import type { WalletDeps } from '../deps'
import { wallets } from './wallets.table'
import { watch } from './watch-address'

const everyMs = 60_000
/** Each address is handed over again once a day: a blockchain service that was set back to an older state watches it again. */
const againMs = 24 * 60 * 60 * 1000
/** Addresses that are handed over side by side. */
const lanes = 16
/** A round ends in time for a service that is to stop. */
const mostPerRound = 5000

/** Hands the addresses over to be watched that the blockchain service has not taken yet. */
export const watching = (deps: Pick<WalletDeps, 'store' | 'client' | 'log'>): Loop =>
  every(everyMs, () => watchDue(deps), { log: deps.log, name: 'The watching of addresses', firstMs: 0 })

/** One round; ends early while the blockchain service is away. Answers how many addresses were handed over. */
export async function watchDue(
  { store, client, log }: Pick<WalletDeps, 'store' | 'client' | 'log'>,
  now = new Date(),
): Promise<number> {
  const before = new Date(now.getTime() - againMs)
  let taken = 0
  while (taken < mostPerRound) {
    const due = await unwatched(store.read).execute({ before, limit: lanes })
    const ended = await Promise.all(due.map((each) => handOver(each)))
    const done = due.filter((_, i) => ended[i])
    if (done.length === 0) return taken
    await store.commit(async (tx) => {
      for (const { id } of done) await noteWatched(tx).execute({ id, watchedAt: now })
    })
    taken += done.length
  }
  return taken

  /** True also for a refusal: it comes again tomorrow, and holds up no other address. */
  async function handOver({ network, address, accountId }: Static<typeof WatchedAddress>): Promise<boolean> {
    try {
      return (await watch(client, { network, address, accountId })) !== null
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      log.error({ network, address, reason: error.message }, 'An address cannot be watched; its deposits are not seen')
      return true
    }
  }
}

const unwatched = prepared((db) =>
  db
    .select({ id: wallets.id, network: wallets.network, address: wallets.address, accountId: wallets.accountId })
    .from(wallets)
    .where(or(isNull(wallets.watchedAt), lt(wallets.watchedAt, param('before'))))
    .orderBy(asc(wallets.id))
    .limit(param('limit')),
)
const noteWatched = prepared((db) =>
  db
    .update(wallets)
    .set({ watchedAt: param('watchedAt') })
    .where(eq(wallets.id, param('id'))),
)
