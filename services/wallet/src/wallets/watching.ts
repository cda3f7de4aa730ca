import { sendChanges, watchAddress } from '@bursar/contracts/blockchain'
import { CallError } from '@bursar/http'
import {
  and,
  asc,
  eq,
  every,
  gt,
  isNull,
  type Loop,
  lt,
  metaValue,
  or,
  param,
  prepared,
  putMetaValue,
} from '@bursar/store'
import { askedAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import type { WalletRow } from './wallets'
import { wallets } from './wallets.table'
import { isRefusal } from './watch-address'

const everyMs = 60_000
/** Each address is handed over again once a day, and in each new run of the blockchain service: it may have been set back. */
const againMs = 24 * 60 * 60 * 1000
/** Addresses that are handed over side by side. */
const lanes = 16
/** A round ends in time for a service that is to stop. */
const mostPerRound = 5000
/** Lines of a round that name an address. */
const mostLogged = 10

/** Hands the addresses over to be watched that the blockchain service has not taken yet. */
export const watching = (deps: Pick<WalletDeps, 'store' | 'client' | 'log'>): Loop =>
  every(everyMs, () => watchDue(deps), { log: deps.log, name: 'The watching of addresses', firstMs: 0 })

/**
 * One round: each address that is due once. One that cannot be handed over is logged, comes again in the next round, and
 * holds up no other. The round ends early while the blockchain service is away. Answers how many addresses were taken.
 */
export async function watchDue(
  { store, client, log }: Pick<WalletDeps, 'store' | 'client' | 'log'>,
  now = new Date(),
): Promise<number> {
  const dayBefore = new Date(now.getTime() - againMs)
  const since = await runSince({ store, client, log }, now)
  const before = since !== null && since > dayBefore ? since : dayBefore
  let [taken, looked, failed, after] = [0, 0, 0, '']
  while (looked < mostPerRound) {
    const due = await unwatched(store.read).execute({ before, after, limit: lanes })
    const outcomes = await Promise.all(due.map(handOver))
    const done = due.filter((_, i) => outcomes[i] === 'done')
    if (done.length > 0) {
      await store.commit(async (tx) => {
        for (const { id } of done) await noteWatched(tx).execute({ id, watchedAt: now })
      })
    }
    taken += done.length
    looked += due.length
    after = due.at(-1)?.id ?? after
    if (due.length < lanes || outcomes.includes('away')) break
  }
  if (failed > mostLogged) log.error({ failed }, 'Addresses are not watched; their deposits are not seen')
  return taken

  /** `done` also for a refusal: it comes again tomorrow. */
  async function handOver({ network, address, accountId }: Wallet): Promise<'done' | 'failed' | 'away'> {
    try {
      const isPortfolio = (await askedAccount({ store, client }, accountId))?.type === 'PORTFOLIO'
      await client.call(watchAddress, { body: { network, address, accountId, isPortfolio } })
      return 'done'
    } catch (error) {
      if (!(error instanceof CallError)) throw error
      failed += 1
      if (failed <= mostLogged) {
        log.error({ network, address, reason: error.message }, 'An address is not watched; its deposits are not seen')
      }
      const isAway = error.problem === 'unreachable' || error.problem === 'timeout'
      if (isAway && error.service === watchAddress.service) return 'away'
      return isRefusal(error) ? 'done' : 'failed'
    }
  }
}

/** Where the database's `meta` says which run of the blockchain service was seen last, and since when. */
const runName = 'blockchain_run'

/** Since when the blockchain service is known to be in its present run; null while that is not known. */
async function runSince(
  { store, client }: Pick<WalletDeps, 'store' | 'client' | 'log'>,
  now: Date,
): Promise<Date | null> {
  const text = await metaValue(store.read, runName)
  const known: { epoch: number; since: number } | null = text === undefined ? null : JSON.parse(text)
  try {
    const { epoch } = await client.call(sendChanges, { query: { after: String(Number.MAX_SAFE_INTEGER) } })
    if (epoch !== known?.epoch) {
      await store.commit((tx) => putMetaValue(tx, runName, JSON.stringify({ epoch, since: now.getTime() })))
      return now
    }
  } catch (error) {
    if (!(error instanceof CallError)) throw error
  }
  return known && new Date(known.since)
}

type Wallet = Pick<WalletRow, 'network' | 'address' | 'accountId'>

const unwatched = prepared((db) =>
  db
    .select({ id: wallets.id, network: wallets.network, address: wallets.address, accountId: wallets.accountId })
    .from(wallets)
    .where(and(or(isNull(wallets.watchedAt), lt(wallets.watchedAt, param('before'))), gt(wallets.id, param('after'))))
    .orderBy(asc(wallets.id))
    .limit(param('limit')),
)
const noteWatched = prepared((db) =>
  db
    .update(wallets)
    .set({ watchedAt: param('watchedAt') })
    .where(eq(wallets.id, param('id'))),
)
