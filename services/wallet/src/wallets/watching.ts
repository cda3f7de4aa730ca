import { sendChanges, watchAddress } from '@bursar/contracts/blockchain'
import { isCallError } from '@bursar/http'
import {
  and,
  asc,
  type Db,
  every,
  gt,
  gte,
  isNull,
  type Loop,
  lt,
  metaValue,
  or,
  param,
  putMetaValue,
  updateBy,
  variants,
} from '@bursar/store'
import { askedAccount } from '../accounts/accounts'
import type { WalletDeps } from '../deps'
import type { WalletRow } from './wallets'
import { wallets } from './wallets.table'
import { isRefusal } from './watch-address'

const everyMs = 60_000
/**
 * Each address is handed over again once a day, and in each new epoch of the blockchain service's database: it was
 * restored.
 */
const againMs = 24 * 60 * 60 * 1000
/** Addresses registered concurrently. */
const lanes = 16
/** The maximum per round, so that the service can stop in time. */
const mostPerRound = 5000
/** The maximum number of log lines with an address per round. */
const mostLogged = 10

/** Registers addresses for watching that the blockchain service has not accepted yet. */
export const watching = (deps: Pick<WalletDeps, 'store' | 'client' | 'log' | 'clock'>): Loop =>
  every(everyMs, (store) => watchDue({ ...deps, store }, deps.clock()), {
    log: deps.log,
    name: 'The watching of addresses',
    firstMs: 0,
    alone: deps.store,
  })

/**
 * One round: each due address once. An address that cannot be registered is logged, retried in the next round, and does
 * not delay others. The round ends early while the blockchain service is unreachable. Returns the number of accepted
 * addresses.
 */
export async function watchDue(
  { store, client, log }: Pick<WalletDeps, 'store' | 'client' | 'log'>,
  now: Date,
): Promise<number> {
  const dayBefore = new Date(now.getTime() - againMs)
  const since = await runSince({ store, client, log }, now)
  const before = since !== null && since > dayBefore ? since : dayBefore
  let [taken, looked, failed] = [0, 0, 0]
  await handOverDue()
  if (failed > mostLogged) log.error({ failed }, 'Addresses are not watched; their deposits are not seen')
  return taken

  async function handOverDue(): Promise<void> {
    for (const range of ranges) {
      let place = { at: new Date(0), after: '' }
      for (let rest = lanes; rest === lanes && looked < mostPerRound; ) {
        const due = await dueOf({ range })(store.read).execute({ before, now, ...place, limit: lanes })
        if (!(await handAllOver(due))) return
        looked += due.length
        rest = due.length
        const last = due.at(-1)
        if (last) place = { at: last.watchedAt ?? place.at, after: last.id }
      }
    }
  }

  /** In parallel; false while the blockchain service is unreachable. */
  async function handAllOver(due: readonly Wallet[]): Promise<boolean> {
    const outcomes = await Promise.all(due.map(handOver))
    const done = due.filter((_, i) => outcomes[i] === 'done')
    if (done.length > 0) {
      await store.commit(async (tx) => {
        for (const { id } of done) await noteWatched(tx).execute({ id, watchedAt: now })
      })
    }
    taken += done.length
    return !outcomes.includes('away')
  }

  /** `done` also for a refusal: it comes again tomorrow. */
  async function handOver({ network, address, accountId }: Wallet): Promise<'done' | 'failed' | 'away'> {
    try {
      const isPortfolio = (await askedAccount({ store, client }, accountId))?.type === 'PORTFOLIO'
      await client.call(watchAddress, { body: { network, address, accountId, isPortfolio } })
      return 'done'
    } catch (error) {
      if (!isCallError(error)) throw error
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

/** The key in `meta` of the last seen epoch of the blockchain service, and since when. */
const runName = 'blockchain_run'

/** Since when the blockchain service is known to be in its current epoch; null while unknown. */
async function runSince(
  { store, client }: Pick<WalletDeps, 'store' | 'client' | 'log'>,
  now: Date,
): Promise<Date | null> {
  const text = await metaValue(store.read, runName)
  const known: { epoch: number; since: number } | null = text === undefined ? null : JSON.parse(text)
  try {
    const { epoch } = await client.call(sendChanges, { query: { after: String(Number.MAX_SAFE_INTEGER) } })
    if (epoch !== known?.epoch || known.since > now.getTime()) {
      await store.commit((tx) => putMetaValue(tx, runName, JSON.stringify({ epoch, since: now.getTime() })))
      return now
    }
  } catch (error) {
    if (!isCallError(error)) throw error
  }
  return known && new Date(known.since)
}

type Wallet = Pick<WalletRow, 'id' | 'network' | 'address' | 'accountId'>

/** The due addresses. Times recorded by a clock that was ahead are ignored. */
export const ranges = ['never', 'longAgo', 'ahead'] as const

/** The wallets of a range, by index: few of a million are due. */
export const walletsIn = (range: (typeof ranges)[number]) => (db: Db) => {
  const { watchedAt, id } = wallets
  const behind = and(gte(watchedAt, param('at')), or(gt(watchedAt, param('at')), gt(id, param('after'))))
  const inRange = {
    never: and(isNull(watchedAt), gt(id, param('after'))),
    longAgo: and(lt(watchedAt, param('before')), behind),
    ahead: and(gt(watchedAt, param('now')), behind),
  }
  return db.select().from(wallets).where(inRange[range]).orderBy(asc(watchedAt), asc(id)).limit(param('limit'))
}
const dueOf = variants(({ range }: { range: (typeof ranges)[number] }) => walletsIn(range))
const noteWatched = updateBy(wallets, 'id', ['watchedAt'])
