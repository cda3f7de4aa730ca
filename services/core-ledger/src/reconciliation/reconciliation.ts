import type { Log } from '@bursar/contracts/log'
import { type Client, createSingleFlight, isCallError, type Metrics } from '@bursar/http'
import { every, type OpenStore, type Worker } from '@bursar/store'
import { holdByChains, nameOf } from './hold-by-chains'
import { type Holdings, type HoldingsLine, isShort, type PortfolioLine, reconcileHoldings } from './reconcile-holdings'
import { type OrderDifference, recheckOrder, reconcileOrders } from './reconcile-orders'

interface Deps {
  readonly store: OpenStore
  readonly client: Client
  readonly log: Log
  readonly now: () => Date
}

/**
 * The service's own reconciliation with the wallet service and the chains; a round is skipped while they are
 * unavailable.
 */
export interface Reconciliation {
  start(deps: Deps & { metrics: Metrics }): Worker
  /** Runs one round, or joins the one under way, and stores its result. */
  round(deps: Deps): Promise<void>
  /** What the last rounds found. */
  last(): LastRound
  /** Rejects while there are differences, without their details. */
  check(): Promise<void>
  /** The same as a sentence, or null; for the health check. */
  waits(): Promise<string | null>
}

/** The results of the last rounds; in memory only, hence empty after a start. */
export interface LastRound {
  /** The end of the last complete round; null before the first. */
  at: Date | null
  /** The pause between two rounds. */
  everyMs: number
  /** Why the last round was incomplete; null if it was complete. */
  failure: { at: Date; message: string } | null
  orders: OrderDifference[]
  /** Completed withdrawals that the wallet service has not confirmed. */
  missing: number
  holdings: HoldingsLine[]
  portfolios: PortfolioLine[]
  /** Whether a line was short in two consecutive rounds: not a momentary difference. */
  isShortTwice(line: HoldingsLine | PortfolioLine): boolean
}

const differing = 'wallet or chains differ; see bun run reconcile'
const tenMinutesMs = 600_000
/** Once a day all records of the wallet service are checked; otherwise only those that changed. */
const roundsOfDay = 144
/** Versions that are read again: a commit may become visible after one with a higher version. */
const overlap = 200

export function createReconciliation({ everyMs = tenMinutesMs, solvencyGate = false } = {}): Reconciliation {
  const orders = orderRounds()
  const holdings = holdingRounds(solvencyGate)
  let rounds = 0
  let at: Date | null = null
  let failure: LastRound['failure'] = null
  const flight = createSingleFlight<void>()
  const count = () => orders.count() + holdings.count()

  async function oneRound(deps: Deps): Promise<void> {
    try {
      await orders.next(deps)
      await holdings.next(deps)
      rounds += 1
      at = deps.now()
      failure = null
    } catch (error) {
      if (!isCallError(error)) throw error
      failure = { at: deps.now(), message: error.message }
    }
  }
  const round = (deps: Deps) => flight('round', () => oneRound(deps))

  return {
    round,
    last: () => ({ at, everyMs, failure, ...orders.last(), ...holdings.last() }),
    check: async () => {
      if (count() > 0) throw new Error(differing)
    },
    waits: async () => (count() > 0 ? differing : null),
    start({ metrics, ...deps }) {
      const differences = 'Orders and holdings that differ between ledger, wallet service and chains'
      metrics.add({ name: 'bursar_reconciliation_differences', help: differences, read: count })
      metrics.add({ name: 'bursar_reconciliation_rounds', help: 'Reconciliations since the start', read: () => rounds })
      return every(everyMs, (store) => round({ ...deps, store }), {
        log: deps.log,
        name: 'The reconciliation with wallet and chains',
        alone: deps.store,
      })
    },
  }
}

/** Differences of orders stay until both sides agree. */
function orderRounds() {
  let known = new Map<string, OrderDifference>()
  let missing = 0
  let place = { epoch: 0, after: 0, rounds: 0 }

  async function next({ store, client, log }: Deps): Promise<void> {
    const sides = { ledger: store, client }
    const still = new Map<string, OrderDifference>()
    for (const id of known.keys()) {
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
    known = still
    missing = report.missing ?? missing
    place = { epoch: report.epoch, after: report.after, rounds: (place.rounds + 1) % roundsOfDay }
  }

  const last = () => ({ orders: [...known.values()], missing })
  return { next, count: () => known.size + missing, last }
}

/** A chain that was read just before the ledger can seem short: it must be short in two consecutive rounds. */
function holdingRounds(solvencyGate: boolean) {
  let found: Holdings = { lines: [], portfolios: [] }
  let before = new Set<string>()
  let twice = new Set<string>()

  async function next({ store, client, log, now }: Deps): Promise<void> {
    found = await reconcileHoldings({ ledger: store, client })
    const missing = [
      ...found.lines.filter((line) => isShort(line) && !line.isSimulated),
      ...found.portfolios.filter(isShort),
    ]
    const again = missing.filter((line) => before.has(nameOf(line)))
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
    before = new Set(missing.map(nameOf))
    twice = new Set(again.map(nameOf))
    await store.commit((tx) => holdByChains(tx, found, twice, solvencyGate, now()))
  }

  const last = () => ({
    holdings: found.lines,
    portfolios: found.portfolios,
    isShortTwice: (line: HoldingsLine | PortfolioLine) => twice.has(nameOf(line)),
  })
  return { next, count: () => twice.size, last }
}
