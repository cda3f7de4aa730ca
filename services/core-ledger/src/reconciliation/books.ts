import { getNewestLedgerHead, type LedgerHead } from '@bursar/contracts/ledger-seals'
import { type Client, type Deps as Common, ifCallFails, type Metrics } from '@bursar/http'
import { every, type Worker } from '@bursar/store'
import { fail } from '../errors'
import { lastSeal } from '../seals/read-journal'
import { differenceFrom, emitHead, ensureLineage, newLineage } from './heads'

type Deps = Pick<Common, 'store' | 'client' | 'log' | 'now'>

const minuteMs = 60_000
const firstRoundsMs = 5000
/** The longest time that a start waits for the tracker, in ms. */
const timeoutMs = 2000

export type Books = ReturnType<typeof createBooks>

/**
 * Whether the ledger's database is the one that was sealed last. The log tracker stores the newest sealed head; a
 * ledger with an empty, older or rewritten database moves no money until it is started with NEW_BOOKS=yes. A tracker
 * that is unavailable, or has no head, blocks nothing.
 */
export function createBooks({ newBooks = false, everyMs = firstRoundsMs } = {}) {
  let difference: string | null = null
  let nextAt = 0
  let sent: LedgerHead | undefined
  let mayReplace = newBooks

  /**
   * Compares this ledger with the tracker's head, and sends the current head if they agree; for the start, and for
   * tests.
   */
  async function compare(deps: Deps): Promise<void> {
    await deps.store.commit(ensureLineage)
    const head = await newestHead(deps.client)
    if (head === undefined) return
    nextAt = performance.now() + minuteMs
    await decide(deps, head)
    // Only if they agree: otherwise the head would replace that of the sealed ledger.
    if (difference === null) await send(deps)
  }

  async function decide({ store, log }: Deps, head: LedgerHead | null): Promise<void> {
    const found = head && (await differenceFrom(store.read, head))
    if (found && head && mayReplace) {
      await store.commit((tx) => newLineage(tx, head.books))
      log.warn({ difference: found }, 'New books were started by NEW_BOOKS=yes; remove it from the settings')
      difference = null
    } else if (found !== difference) {
      if (found) log.error({ difference: found }, 'No money moves until the ledger is started with NEW_BOOKS=yes')
      else log.info({}, 'The ledger is the one that was sealed last; money moves again')
      difference = found
    }
    mayReplace = false
  }

  async function send({ store, now }: Deps): Promise<void> {
    const seal = await lastSeal(store.read)
    if (sent && sent.number === (seal?.number ?? 0)) return
    sent = await store.commit((tx) => emitHead(tx, now()))
  }

  return {
    compare,
    /** True while no money may move. */
    areClosed: () => difference !== null,
    /** 503 while no money may move. */
    // An arrow function: of a minified method Elysia cannot read which fields of its context it uses, and says so in the log.
    requireOpen: (): void => {
      if (difference !== null) throw fail('BOOKS_DIFFER')
    },
    /** A sentence while no money may move, else null; for the health check. */
    waits: async () =>
      difference === null
        ? null
        : 'This is not the ledger that was sealed last; no money moves until a start with NEW_BOOKS=yes',
    /** Compares every minute; every few seconds until the tracker has answered once. */
    start({ metrics, ...deps }: Deps & { metrics: Metrics }): Worker {
      const help = '1 while the ledger is the one that was sealed last, 0 while no money may move'
      metrics.add({ name: 'bursar_books_ok', help, read: () => Number(difference === null) })
      const work = async () => {
        if (performance.now() >= nextAt) await compare(deps)
      }
      return every(everyMs, work, { log: deps.log, name: 'The comparison with the sealed head', firstMs: 0 })
    },
  }
}

/** The head that the tracker stores; null when it has none, undefined when it is unreachable. */
const newestHead = (client: Client): Promise<LedgerHead | null | undefined> =>
  ifCallFails(client.find(getNewestLedgerHead, { timeoutMs }), () => undefined)
