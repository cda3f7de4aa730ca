import type { Log } from '@bursar/contracts/log'
import { type Client, createSingleFlight, isCallError, type Metrics } from '@bursar/http'
import { type Db, every, type OpenStore, type Worker } from '@bursar/store'
import { holdByChains, nameOf } from './hold-by-chains'
import { keepRound, type LastRound, lastRound } from './last-round'
import { type Holdings, isShort, reconcileHoldings } from './reconcile-holdings'
import { type OrderDifference, recheckOrder, reconcileOrders } from './reconcile-orders'

interface Deps {
  readonly store: OpenStore
  readonly client: Client
  readonly log: Log
  readonly now: () => Date
}

/**
 * The service's own reconciliation with the wallet service and the chains; a round is skipped while they are
 * unavailable. Its results are in the database (last-round.ts).
 */
export interface Reconciliation {
  /** The pause between two rounds. */
  readonly everyMs: number
  start(deps: Deps & { metrics: Metrics }): Worker
  /** Runs one round, or joins the one under way, and stores its result. */
  round(deps: Deps): Promise<void>
  /** Why the last rounds are no good, as a sentence; null if they are. For the health check. */
  waits(db: Db): Promise<string | null>
}

const tenMinutesMs = 600_000
/** Once a day all records of the wallet service are checked, and at each start; otherwise only those that changed. */
const roundsOfDay = 144
/** Versions that are read again: a commit may become visible after one with a higher version. */
const overlap = 200

export function createReconciliation({ everyMs = tenMinutesMs, solvencyGate = false } = {}): Reconciliation {
  let rounds = 0
  const flight = createSingleFlight<void>()

  async function oneRound(deps: Deps): Promise<void> {
    const { store, now } = deps
    let next = await lastRound(store.read)
    if (rounds === 0) next = { ...next, place: { ...next.place, rounds: 0 } }
    try {
      next = { ...next, ...(await compareOrders(deps, next)) }
      const found = await reconcileHoldings({ ledger: store, client: deps.client })
      next = { ...next, ...compareHoldings(deps, next, found) }
      const done = { ...next, at: now().toISOString(), failure: null }
      await store.commit(async (tx) => {
        await holdByChains(tx, found, new Set(done.shortTwice), solvencyGate, now())
        await keepRound(tx, done)
      })
      rounds += 1
    } catch (error) {
      if (!isCallError(error)) throw error
      const failed = { ...next, failure: { at: now().toISOString(), message: error.message } }
      await store.commit((tx) => keepRound(tx, failed))
    }
  }
  const round = (deps: Deps) => flight('round', () => oneRound(deps))

  return {
    everyMs,
    round,
    waits: async (db) => ((await count(db)) > 0 ? 'wallet or chains differ; see bun run reconcile' : null),
    start({ metrics, ...deps }) {
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
  let report = await reconcileOrders(sides, place.rounds === 0 ? 0 : Math.max(0, place.after - overlap))
  // Another epoch of the wallet service's database: its versions start again.
  if (report.missing === null && report.epoch !== place.epoch) report = await reconcileOrders(sides)
  for (const difference of report.differences) {
    if (!known.has(difference.id)) log.error({ ...difference }, 'A withdrawal differs at the wallet service')
    still.set(difference.id, difference)
  }
  if (report.missing)
    log.error({ missing: report.missing }, 'Completed withdrawals are not confirmed by the wallet service')
  const rounds = (place.rounds + 1) % roundsOfDay
  return {
    orders: [...still.values()],
    missing: report.missing ?? missing,
    place: { epoch: report.epoch, after: report.after, rounds },
  }
}

/** A chain that was read just before the ledger can seem short: it must be short in two consecutive rounds. */
function compareHoldings(
  { log }: Deps,
  before: LastRound,
  { lines, portfolios }: Holdings,
): Pick<LastRound, 'holdings' | 'portfolios' | 'short' | 'shortTwice'> {
  const short = portfolios.filter(isShort)
  const missing = [...lines.filter((line) => isShort(line) && !line.isSimulated), ...short]
  const again = missing.filter((line) => before.short.includes(nameOf(line)))
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
  return { holdings: lines, portfolios: short, short: missing.map(nameOf), shortTwice: again.map(nameOf) }
}
