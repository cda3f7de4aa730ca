import type { Log } from '@bursar/contracts/log'
import {
  and,
  asc,
  type Db,
  eq,
  every,
  follower,
  getTableColumns,
  gt,
  gte,
  insertMissing,
  lte,
  type OpenStore,
  param,
  prepared,
  type SQL,
  type Store,
  sizeOf,
  type Tx,
} from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { journalHead } from '../ledger/journal-head'
import { isFirst } from '../ledger/ledger-accounts'
import { indexedEntries } from '../ledger/sealed-rows'
import { keyOf } from './key-of'
import { transactionKeys } from './transaction-keys.table'
import { transactions } from './transactions.table'

const everyMs = 1000
/** Entries per commit: few, so that it delays other commits no more than ordinary ones do. */
const entriesPerCommit = 100
/**
 * Indexing rests this many times as long as a commit takes, so that it uses at most a twentieth of the writer’s time.
 */
const rest = 19
const unindexedEntries = follower(indexedEntries, { entries: { number: journal.seq } })

/** An entry up to which all transactions are indexed. */
export async function indexedUntil(db: Db): Promise<number> {
  // In this order: an entry that is indexed meanwhile is counted as not indexed yet.
  const head = await journalHead(db)
  const [[first] = []] = (await unindexedEntries.waiting(db)).entries
  return first === undefined ? head : Math.min(head, first - 1)
}

/**
 * Indexes the transactions of the next entries; returns the number of entries. The first entry of a transaction provides its
 * reference and addresses, the last one the hash that a withdrawal has by then.
 */
export const indexNext = (store: Store): Promise<number> =>
  store.commit(async (tx) => {
    const { entries } = await unindexedEntries.take(tx, entriesPerCommit)
    const texts: { transactionId: string; text: string }[] = []
    for (const [from, to] of entries) {
      const rows = await entriesOf(tx).execute({ from, to })
      texts.push(...rows.flatMap((row) => textsOf(row).map((text) => ({ transactionId: row.id, text }))))
    }
    await addKeys(tx, texts)
    return sizeOf(entries)
  })

/** Makes transactions searchable by these texts from this commit on. */
export async function addKeys(tx: Tx, texts: readonly { transactionId: string; text: string }[]): Promise<void> {
  const keys = texts.map(({ transactionId, text }) => ({ key: keyOf(text), transactionId }))
  await insertKeys(
    tx,
    keys.sort((one, other) => one.key - other.key),
  )
}

/**
 * Declares a query for transactions with a text (reference, hash or address) that meet a condition, whose values are
 * given: those of the index, and those of the entries that it does not know yet, by age.
 */
export function withText(isMeant: SQL | undefined) {
  const indexed = prepared((db) =>
    db
      .select(getTableColumns(transactions))
      .from(transactionKeys)
      .innerJoin(transactions, eq(transactions.id, transactionKeys.transactionId))
      .where(and(eq(transactionKeys.key, param('key')), isMeant))
      .orderBy(asc(transactions.id)),
  )
  const since = prepared((db) =>
    db
      .select(getTableColumns(transactions))
      .from(journal)
      .innerJoin(transactions, eq(transactions.id, journal.transactionId))
      .where(and(gt(journal.seq, param('after')), isMeant))
      .orderBy(asc(journal.seq)),
  )
  return async (db: Db, text: string, values: Record<string, unknown>) => {
    const asked = { ...values, key: keyOf(text), after: await indexedUntil(db) }
    return [...(await indexed(db).execute(asked)), ...(await since(db).execute(asked))]
  }
}

interface Indexing {
  store: OpenStore
  log: Log
  /** For tests. */
  pause?: (ms: number) => Promise<void>
}

/** Follows the journal, every second. A stop ends its rest, which on a slow disk takes seconds. */
export const indexing = ({ store, log, pause = Bun.sleep }: Indexing) => {
  let stopped = false
  const stopping = Promise.withResolvers<void>()
  const work = async (own: Store) => {
    if ((await unindexedEntries.oldest(own.read)) === null) return
    for (let count = entriesPerCommit; count === entriesPerCommit && !stopped; ) {
      const started = performance.now()
      count = await indexNext(own)
      if (count === entriesPerCommit) {
        await Promise.race([pause((performance.now() - started) * rest), stopping.promise])
      }
    }
  }
  const rounds = every(everyMs, work, { log, name: 'The index of references, hashes and addresses', alone: store })
  return {
    ...rounds,
    stop() {
      stopped = true
      stopping.resolve()
      return rounds.stop()
    },
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof entriesOf>['execute']>>[number]

function textsOf({ kind, type, reference, sourceAddress, destinationAddress, txHash }: Row): string[] {
  const texts = isFirst(kind)
    ? [reference, sourceAddress, destinationAddress, txHash]
    : type === 'DEPOSIT'
      ? []
      : [txHash]
  return texts.filter((text) => text !== null)
}

const entriesOf = prepared((db) =>
  db
    .select({
      kind: journal.kind,
      id: transactions.id,
      type: transactions.type,
      reference: transactions.reference,
      sourceAddress: transactions.sourceAddress,
      destinationAddress: transactions.destinationAddress,
      txHash: transactions.txHash,
    })
    .from(journal)
    .innerJoin(transactions, eq(transactions.id, journal.transactionId))
    .where(and(gte(journal.seq, param('from')), lte(journal.seq, param('to'))))
    .orderBy(asc(journal.seq)),
)
const insertKeys = insertMissing(transactionKeys)
