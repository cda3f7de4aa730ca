import { type Client, type Deps, isCallError, type Metrics } from '@bursar/http'
import { type Db, every, type Worker } from '@bursar/store'
import { unsealed } from '../seals/read-journal'
import { unsealedRows } from '../seals/unsealed-rows'
import { auditAssets } from './audit-assets'
import { auditChain } from './audit-chain'
import { auditDeposits, noFigures } from './audit-deposits'
import { AuditDifference, asDifference } from './audit-difference'
import { auditEnds } from './audit-ends'
import { auditMovements } from './audit-movements'
import { auditReturns } from './audit-returns'
import { type AuditSource, sumAudit } from './audit-sums'
import { auditTransactions } from './audit-transactions'

const minuteMs = 60_000
/** Rows of the chain, and of the transactions, per round: a full pass is spread over rounds. */
const rowsPerRound = 50_000
/** Credited deposits that one round compares with their chains. */
const depositsPerRound = 500
/** The audit rests this many times as long as a step takes, because requests go first. */
const rest = 4
/** Additional rest, in ms, for each ms that the last rest ended late. */
const restByLateness = 10
/** The limit of that factor, so that the audit progresses under any load. */
const longestRest = 100

interface AuditorTuning {
  pause?: (ms: number) => Promise<void>
  everyMs?: number | undefined
  /** How long an entry may stay unsealed. */
  lateMs?: number
  /** Whether every credited deposit must be on its chain. */
  isProduction?: boolean
}

/**
 * The service's own audit: a round every minute, a little at a time. Every round compares all sums with the entries, checks the ends of the journal, and continues through the hash chain,
 * the transactions, and the deposits on the chains.
 */
export function createAuditor({
  pause = Bun.sleep,
  everyMs = minuteMs,
  lateMs = 2 * minuteMs,
  isProduction = false,
}: AuditorTuning = {}) {
  let difference: string | undefined
  let sums: ReturnType<typeof sumAudit> | undefined
  /** The sums that are being added up. */
  let latest: typeof sums
  let stopped = false
  let client: Client | undefined
  let suspicion: string | undefined
  const passes = {
    chain: endless(auditChain),
    transactions: endless(auditTransactions),
    movements: endless(auditMovements),
    deposits: endless(deposits),
  }
  const sealing = sealingAudit(lateMs)
  const figures = { rounds: 0, chain: 0, transactions: 0 }
  const go = pacing(pause, () => stopped)

  /**
   * If a service is unavailable, the pass starts again. A deposit that is missing once may just have been reversed, and
   * its event may be under way: only one missing twice is a difference.
   */
  async function* deposits(read: Db): AsyncGenerator<number> {
    if (!client) return
    try {
      yield* auditDeposits({ read, client, isProduction }, noFigures())
      suspicion = undefined
    } catch (error) {
      if (isCallError(error)) return
      if (!(error instanceof AuditDifference) || error.message === suspicion) throw error
      suspicion = error.message
    }
  }

  /**
   * After an error the sums are incomplete, and are added up anew. A difference counts only when new sums show it too.
   */
  async function compareSums(source: AuditSource): Promise<void> {
    const isNew = sums === undefined
    const added = sums ?? sumAudit(source)
    sums = undefined
    latest = added
    try {
      await go(added.sweep())
      sums = added
    } catch (error) {
      if (isNew || !(error instanceof AuditDifference)) throw error
      await compareSums(source)
    }
  }

  /** One round; for tests. Without a client the chains are not checked. */
  async function round(source: AuditSource, asked = client): Promise<void> {
    const { read } = source
    client = asked
    try {
      await auditEnds(read)
      await auditAssets(read)
      await sealing(read)
      await compareSums(source)
      figures.chain += await go(passes.chain(read), rowsPerRound)
      figures.transactions += await go(passes.transactions(read), rowsPerRound)
      await go(passes.movements(read), rowsPerRound)
      await auditReturns(read)
      await go(passes.deposits(read), depositsPerRound)
      figures.rounds += 1
    } catch (thrown) {
      const error = asDifference(thrown)
      if (!(error instanceof AuditDifference)) throw error
      difference = error.message
    }
  }

  function start({ store, log, metrics, ...deps }: Pick<Deps, 'store' | 'client' | 'log' | 'metrics'>): Worker {
    client = deps.client
    addGauges(metrics, store.read, () => ({ ...figures, entries: latest?.entries() ?? 0, ok: !difference }))
    const work = async () => {
      if (difference) return
      await round(store)
      if (difference) log.error({ difference }, 'The audit found a difference: run `bun run audit`')
    }
    const rounds = every(everyMs, work, { log, name: 'The audit', alone: store })
    return {
      stop() {
        stopped = true
        return rounds.stop()
      },
    }
  }

  return {
    start,
    round,
    /** The difference that was found; undefined for none. */
    difference: () => difference,
    /** Rejects once a difference was found, without its details; for the health check, which is public. */
    check: async (): Promise<void> => {
      if (difference) throw new Error('books differ')
    },
  }
}

/** Reads at a pace that leaves the thread to requests. */
function pacing(pause: (ms: number) => Promise<void>, isStopped: () => boolean) {
  let lateBy = 0

  /** The delay of a rest's end shows how many requests wait for the same thread. */
  async function restAfter(tookMs: number): Promise<void> {
    const ms = Math.min(tookMs * rest + lateBy * restByLateness, tookMs * longestRest)
    const began = performance.now()
    await pause(ms)
    lateBy = Math.max(0, performance.now() - began - ms)
  }

  /** Continues until it is done or has read this many rows; returns their number. */
  return async (steps: AsyncIterator<number>, most = Number.POSITIVE_INFINITY): Promise<number> => {
    let rows = 0
    while (rows < most && !isStopped()) {
      const started = performance.now()
      const { value, done } = await steps.next()
      if (done) break
      rows += value
      await restAfter(performance.now() - started)
    }
    return rows
  }
}

/** New rows must be sealed within a while: the sealer runs every second. Throws AuditDifference. */
function sealingAudit(lateMs: number) {
  let watched: { oldest: number | null; since: number } = { oldest: null, since: 0 }
  return async (read: Db): Promise<void> => {
    const oldest = await unsealedRows.oldest(read)
    // A monotonic clock, because the wall clock may jump.
    const now = performance.now()
    if (oldest === null || oldest !== watched.oldest) watched = { oldest, since: now }
    else if (now - watched.since > lateMs) {
      const [[entry] = []] = (await unsealedRows.waiting(read)).entries
      throw new AuditDifference(`Entry ${entry} of the journal stays unsealed`)
    }
  }
}

/** A pass that starts again at the next call after its end. */
function endless(pass: (read: Db) => AsyncGenerator<number>) {
  let current: AsyncGenerator<number> | undefined
  return (read: Db): AsyncIterator<number> => {
    current ??= pass(read)
    const steps = current
    return {
      async next() {
        const step = await steps.next()
        if (step.done) current = undefined
        return step
      },
    }
  }
}

interface Figures {
  ok: boolean
  rounds: number
  entries: number
  chain: number
  transactions: number
}

function addGauges(metrics: Metrics, read: Db, figures: () => Figures): void {
  const gauge = (name: string, help: string, value: () => number | Promise<number>) =>
    metrics.add({ name: `bursar_audit_${name}`, help, read: value })
  gauge('ok', '1 until the audit finds a difference, then 0', () => Number(figures().ok))
  gauge('rounds', 'Audit rounds since the start', () => figures().rounds)
  gauge('entries', 'Entries of the journal that the balances were recomputed from', () => figures().entries)
  gauge('chain_entries', 'Entries whose hash chain was recomputed since the start', () => figures().chain)
  gauge('transactions', 'Transactions compared with their entries since the start', () => figures().transactions)
  gauge('unsealed_entries', 'Entries of the journal that are not sealed yet', () => unsealed(read))
}
