import { type Deps as Common, createSingleFlight, isCallError, type Metrics } from '@bursar/http'
import { type Db, every, type Tx, type Worker } from '@bursar/store'
import { holdByChains, nameOf } from './hold-by-chains'
import { keepRound, type LastRound, lastRound } from './last-round'
import { type Holdings, isShort, reconcileHoldings } from './reconcile-holdings'
import { type OrderDifference, recheckOrder, reconcileOrders } from './reconcile-orders'

type Deps = Pick<Common, 'store' | 'client' | 'log' | 'now'>

const tenMinutesMs = 600_000
/**
 * All records of the wallet service are checked once a day, at each start, and while confirmed ones are missing; otherwise only
 * changed ones.
 */
const roundsOfDay = 144
/** The shortest pause between two rounds, in parts of the usual one (`every`). */
const shortestPause = 0.9
/** Versions that are read again: a commit may become visible after one with a higher version. */
const overlap = 200

export type Reconciliation = ReturnType<typeof createReconciliation>

/**
 * The service's own reconciliation with the wallet service and the chains; a round is skipped while they are
 * unavailable. Its results are in the database (last-round.ts).
 */
export function createReconciliation({ everyMs = tenMinutesMs, solvencyGate = false } = {}) {
  let rounds = 0
  const flight = createSingleFlight<void>()

  async function oneRound(deps: Deps): Promise<void> {
    const { store, now } = deps
    const before = await lastRound(store.read)
    const isStillLast = async (tx: Tx) => Bun.deepEquals(await lastRound(tx), before)
    let next = rounds > 0 ? before : { ...before, place: { ...before.place, rounds: 0 } }
    try {
      next = { ...next, ...(await compareOrders(deps, next)) }
      const found = await reconcileHoldings({ ledger: store, client: deps.client })
      next = { ...next, ...compareHoldings(deps, next, found, everyMs) }
      const done = { ...next, at: now().toISOString(), failure: null }
      const isKept = await store.commit(async (tx) => {
        if (!(await isStillLast(tx))) return false
        await holdByChains(tx, found, new Set(done.shortTwice), solvencyGate, now())
        await keepRound(tx, done)
        return true
      })
      // Another instance's round has ended meanwhile, and may have read later than this one.
      if (!isKept) return await oneRound(deps)
      rounds += 1
    } catch (error) {
      if (!isCallError(error)) throw error
      const failure = { at: now().toISOString(), message: error.message }
      await store.commit(async (tx) =>
        keepRound(tx, { ...((await isStillLast(tx)) ? next : await lastRound(tx)), failure }),
      )
    }
  }
  /** Runs one round, or joins the one under way, and stores its result. */
  const round = (deps: Deps) => flight('round', () => oneRound(deps))

  return {
    /** The pause between two rounds. */
    everyMs,
    round,
    /** What is wrong with the last rounds, as a sentence; null if nothing is. For the health check. */
    waits: async (db: Db) => ((await count(db)) > 0 ? 'wallet or chains differ; see bun run reconcile' : null),
    start({ metrics, ...deps }: Deps & { metrics: Metrics }): Worker {
      const differences = 'Orders and holdings that differ between ledger, wallet service and chains'
      const read = () => count(deps.store.read)
      metrics.add({ name: 'bursar_reconciliation_differences', help: differences, read })
      metrics.add({ name: 'bursar_reconciliation_rounds', help: 'Reconciliations since the start', read: () => rounds })
      return every(everyMs, (store) => round({ ...deps, store }), {
        log: deps.log,
        name: 'The reconciliation with wallet and chains',
        alone: deps.store,
      })
    },
  }
}

async function count(db: Db): Promise<number> {
  const { orders, missing, shortTwice } = await lastRound(db)
  return orders.length + missing + shortTwice.length
}

/** Differences of orders stay until both sides agree. */
async function compareOrders(
  { store, client, log }: Deps,
  { orders, missing, place }: LastRound,
): Promise<Pick<LastRound, 'orders' | 'missing' | 'place'>> {
  const sides = { ledger: store, client }
  const known = new Set(orders.map(({ id }) => id))
  const still = new Map<string, OrderDifference>()
  for (const id of known) {
    const difference = await recheckOrder(sides, id)
    if (difference) still.set(id, difference)
  }
  const isWhole = place.rounds === 0 || missing > 0
  let report = await reconcileOrders(sides, isWhole ? 0 : Math.max(0, place.after - overlap))
  // In another epoch of the wallet service's database versions start again.
  if (report.missing === null && report.epoch !== place.epoch) report = await reconcileOrders(sides)
  for (const difference of report.differences) {
    if (!known.has(difference.id)) log.error({ ...difference }, 'A withdrawal differs at the wallet service')
    still.set(difference.id, difference)
  }
  if (report.missing && report.missing !== missing)
    log.error({ missing: report.missing }, 'Completed withdrawals are not confirmed by the wallet service')
  const rounds = (place.rounds + 1) % roundsOfDay
  return {
    orders: [...still.values()],
    missing: report.missing ?? missing,
    place: { epoch: report.epoch, after: report.after, rounds },
  }
}

/**
 * A chain that was read just before the ledger can seem short: it must be short in two rounds, and two that somebody asks
 * for at once are one look.
 */
function compareHoldings(
  { log, now }: Deps,
  before: LastRound,
  { lines, portfolios }: Holdings,
  everyMs: number,
): Pick<LastRound, 'holdings' | 'portfolios' | 'shortSince' | 'shortTwice'> {
  const at = now()
  const short = portfolios.filter(isShort)
  const missing = [...lines.filter((line) => isShort(line) && !line.isSimulated), ...short]
  const found = missing.map((line) => ({ line, since: foundFirst(before, line, at) }))
  const isAgain = ({ since }: { since: Date }) => at.getTime() - since.getTime() >= shortestPause * everyMs
  const again = found.filter(isAgain).map(({ line }) => line)
  for (const { code, amount, held, ...line } of again) {
    log.error(
      {
        account: 'accountId' in line ? line.accountId : null,
        network: line.network,
        code,
        owed: `${amount}`,
        held: `${held}`,
      },
      'Less is on the chain than the ledger owes',
    )
  }
  const shortSince = found.map(({ line, since }) => [nameOf(line), since.toISOString()])
  return {
    holdings: lines,
    portfolios: short,
    shortSince: Object.fromEntries(shortSince),
    shortTwice: again.map(nameOf),
  }
}

/** When a line was found first: now, if the round before did not find it, or if a clock was ahead then. */
function foundFirst({ shortSince }: LastRound, line: Parameters<typeof nameOf>[0], now: Date): Date {
  const since = new Date(shortSince[nameOf(line)] ?? now)
  return since <= now ? since : now
}
