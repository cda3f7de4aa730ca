import { getNewestLedgerHead, type LedgerHead } from '@bursar/contracts/ledger-seals'
import type { Log } from '@bursar/contracts/log'
import { type Client, ifCallFails, type Metrics } from '@bursar/http'
import { every, type Store, type Worker } from '@bursar/store'
import { fail } from '../errors'
import { lastSeal } from '../seals/read-journal'
import { differenceFrom, emitHead } from './heads'
import { ensureLineage, newLineage } from './lineage'

interface Deps {
  readonly store: Store
  readonly client: Client
  readonly log: Log
}

/**
 * Whether the ledger's file is the one that was sealed last. The log tracker keeps the newest sealed head; an empty,
 * older or rewritten file moves no money until it is started with NEW_BOOKS=yes. A tracker that is away, or has no head,
 * holds nothing up.
 */
export interface Books {
  /** Compares with the tracker's head, and sends ours when they agree; for the start, and for tests. */
  compare(deps: Deps): Promise<void>
  /** Compares every minute; every few seconds until the tracker has answered for the first time. */
  start(deps: Deps & { metrics: Metrics }): Worker
  /** True while no money may move. */
  areClosed(): boolean
  /** 503 while no money may move. */
  requireOpen(): void
  /** A sentence while no money may move, else null; for the health. */
  waits(): Promise<string | null>
}

const minuteMs = 60_000
const firstRoundsMs = 5000
/** A start waits no longer for the tracker. */
const timeoutMs = 2000

export function createBooks({ newBooks = false, everyMs = firstRoundsMs } = {}): Books {
  let difference: string | null = null
  let nextAt = 0
  let sent: LedgerHead | undefined
  let mayReplace = newBooks

  async function compare(deps: Deps): Promise<void> {
    await deps.store.commit(ensureLineage)
    const head = await newestHead(deps.client)
    if (head === undefined) return
    nextAt = performance.now() + minuteMs
    await decide(deps, head)
    // A head of books that the tracker does not have would take the place of those that it has.
    if (difference === null) await send(deps)
  }

  async function decide({ store, log }: Deps, head: LedgerHead | null): Promise<void> {
    const found = head && (await differenceFrom(store.read, head))
    if (found && head && mayReplace) {
      await store.commit((tx) => newLineage(tx, head.books))
      log.warn({ difference: found }, 'New books were begun, as NEW_BOOKS=yes says. Take it out of the settings')
      difference = null
    } else if (found !== difference) {
      if (found) log.error({ difference: found }, 'No money moves until the ledger is started with NEW_BOOKS=yes')
      else log.info({}, 'The ledger is the one that was sealed last: money moves again')
      difference = found
    }
    mayReplace = false
  }

  async function send({ store }: Deps): Promise<void> {
    const seal = await lastSeal(store.read)
    if (sent && sent.lastSeq === (seal?.lastSeq ?? 0)) return
    sent = await store.commit((tx) => emitHead(tx))
  }

  return {
    compare,
    areClosed: () => difference !== null,
    requireOpen() {
      if (difference !== null) throw fail('BOOKS_DIFFER')
    },
    waits: async () =>
      difference === null
        ? null
        : 'This is not the ledger that was sealed last; no money moves until a start with NEW_BOOKS=yes',
    start({ metrics, ...deps }) {
      const help = '1 while the ledger is the one that was sealed last, 0 while no money moves'
      metrics.add({ name: 'bursar_books_ok', help, read: () => Number(difference === null) })
      const work = async () => {
        if (performance.now() >= nextAt) await compare(deps)
      }
      return every(everyMs, work, { log: deps.log, name: 'The comparison with the sealed head', firstMs: 0 })
    },
  }
}

/** The head that the tracker keeps; null when it has none, undefined when it cannot be asked. */
const newestHead = (client: Client): Promise<LedgerHead | null | undefined> =>
  ifCallFails(client.find(getNewestLedgerHead, { timeoutMs }), () => undefined)
