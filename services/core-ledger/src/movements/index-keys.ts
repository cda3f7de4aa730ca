import type { Log } from '@bursar/contracts/log'
import {
  asc,
  type Db,
  eq,
  every,
  gt,
  insertMissing,
  metaValue,
  param,
  prepared,
  putMetaValue,
  type Store,
  type Tx,
  type Worker,
} from '@bursar/store'
import { journal } from '../ledger/journal.table'
import { isFirst } from '../ledger/ledger-accounts'
import { keyOf } from './key-of'
import { transactionKeys } from './transaction-keys.table'
import { transactions } from './transactions.table'

const everyMs = 1000
/** Entries per commit: it delays other commits no more than a few ordinary ones do. */
const entriesPerCommit = 100
/**
 * Indexing rests this many times as long as a commit takes, so that it uses at most a twentieth of the writer’s time.
 */
const rest = 19
/** The key in `meta` of the entry up to which transactions are indexed. */
export const placeName = 'transaction_keys_seq'

/** The last journal entry whose transaction is indexed. */
export const indexedUntil = async (db: Db): Promise<number> => Number((await metaValue(db, placeName)) ?? 0)

/**
 * Indexes the transactions of the next entries; returns the number of entries. The first entry of a transaction
 * provides its reference and addresses, the last one the hash that a withdrawal has by then.
 */
export async function indexNext(store: Store): Promise<number> {
  const after = await indexedUntil(store.read)
  const rows = await nextEntries(store.read).execute({ after, limit: entriesPerCommit })
  const last = rows.at(-1)
  if (!last) return 0
  const texts = rows.flatMap((row) => textsOf(row).map((text) => ({ transactionId: row.id, text })))
  await store.commit(async (tx) => {
    // Only one process indexes, as only one seals; if another one were faster, this would be done twice without harm.
    await addKeys(tx, texts)
    await putMetaValue(tx, placeName, String(last.seq))
  })
  return rows.length
}

/** Makes transactions searchable by these texts from this commit on. */
export async function addKeys(tx: Tx, texts: readonly { transactionId: string; text: string }[]): Promise<void> {
  const keys = texts.map(({ transactionId, text }) => ({ key: keyOf(text), transactionId }))
  await insertKeys(
    tx,
    keys.sort((one, other) => one.key - other.key),
  )
}

/** Follows the journal, every second; that of an upgraded ledger is read once from the start. */
export const indexing = ({ store, log }: { store: Store; log: Log }): Worker => {
  let stopped = false
  const work = async () => {
    for (let count = entriesPerCommit; count === entriesPerCommit && !stopped; ) {
      const started = performance.now()
      count = await indexNext(store)
      if (count === entriesPerCommit) await Bun.sleep((performance.now() - started) * rest)
    }
  }
  const rounds = every(everyMs, work, { log, name: 'The index of references, hashes and addresses' })
  return {
    ...rounds,
    stop() {
      stopped = true
      return rounds.stop()
    },
  }
}

type Row = Awaited<ReturnType<ReturnType<typeof nextEntries>['execute']>>[number]

function textsOf({ kind, type, reference, sourceAddress, destinationAddress, txHash }: Row): string[] {
  const texts = isFirst(kind)
    ? [reference, sourceAddress, destinationAddress, txHash]
    : type === 'DEPOSIT'
      ? []
      : [txHash]
  return texts.filter((text) => text !== null)
}

const nextEntries = prepared((db) =>
  db
    .select({
      seq: journal.seq,
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
    .where(gt(journal.seq, param('after')))
    .orderBy(asc(journal.seq))
    .limit(param('limit')),
)
const insertKeys = insertMissing(transactionKeys)
