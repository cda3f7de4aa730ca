import {
  asc,
  type Db,
  desc,
  gt,
  inChunks,
  metaValue,
  param,
  params,
  prepared,
  putMetaValue,
  rowsBy,
  type Store,
  type Tx,
} from '@bursar/store'
import type { AuditCheck } from './audit.model'
import { auditTrail } from './audit-trail.table'
import { type AuditRow, breakAt, type ChainEnd, genesis, hashOf } from './chain'

/** A row without its position in the chain. */
export type NewAuditRow = Omit<AuditRow, 'number' | 'previousHash' | 'hash'>

const lastRow = prepared((db) =>
  db
    .select({ number: auditTrail.number, hash: auditTrail.hash, at: auditTrail.at })
    .from(auditTrail)
    .orderBy(desc(auditTrail.number))
    .limit(1),
)
const insertRow = prepared((db) => db.insert(auditTrail).values({ ...params(auditTrail), number: param('number') }))

/** Adds a row to the end of the chain. Only one process writes, one commit at a time, so the chain cannot fork. */
export async function appendRow(tx: Tx, row: NewAuditRow): Promise<ChainEnd> {
  const end = await endOf(tx)
  const placed = { ...row, number: end.number + 1, previousHash: end.hash }
  const hash = hashOf(placed)
  await insertRow(tx).execute({ ...placed, hash })
  await keepHead(tx, { number: placed.number, hash })
  return { number: placed.number, hash }
}

/** The newest row; undefined before the first one. */
export async function lastRowOf(db: Db): Promise<(ChainEnd & { readonly at: Date }) | undefined> {
  const [last] = await lastRow(db).execute()
  return last
}

/** The end of the chain: of its rows or, if rows are missing, as stored beside them. */
async function endOf(db: Db): Promise<ChainEnd> {
  const last = await lastRowOf(db)
  const kept = await keptHead(db)
  // Numbers are never reused: removed rows remain a gap that the check finds.
  if (kept && kept.number > (last?.number ?? 0)) return kept
  return last ?? { number: 0, hash: genesis }
}

/** The result of checking the whole chain. */
export type Verified = Omit<AuditCheck, 'isComplete' | 'checkedAt'>

const rowsAfter = prepared((db) =>
  db
    .select()
    .from(auditTrail)
    .where(gt(auditTrail.number, param('after')))
    .orderBy(asc(auditTrail.number))
    .limit(param('limit')),
)
/** Few enough that requests wait only milliseconds. */
const chunkRows = 100

/** Checks the whole chain in chunks, up to the first invalid row. Yields the result so far. */
export async function* followTrail(db: Db): AsyncGenerator<Verified, Verified> {
  // Read before the rows, of which there can only be more by now.
  const kept = await keptHead(db)
  const open = new Set<string>()
  let head: ChainEnd = { number: 0, hash: genesis }
  const found = (problem: string | null): Verified => ({
    intact: problem === null,
    rows: head.number,
    head,
    problem,
    unanswered: open.size,
  })
  const read = ({ after, limit }: { after: number; limit: number }) => rowsAfter(db).execute({ after, limit })
  for await (const rows of inChunks(read, { size: chunkRows, start: 0, keyOf: ({ number }) => number })) {
    for (const row of rows) {
      const problem = breakAt(head, row)
      if (problem) return found(problem)
      head = { number: row.number, hash: row.hash }
      if (row.step === 'asked') open.add(row.actId)
      else open.delete(row.actId)
    }
    yield found(null)
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
  return found(kept && kept.number > head.number ? `Rows ${head.number + 1} to ${kept.number} are missing` : null)
}

/** The same up to the end. */
export async function verifyTrail({ read }: Pick<Store, 'read'>): Promise<Verified> {
  const steps = followTrail(read)
  for (;;) {
    const { value, done } = await steps.next()
    if (done) return value
  }
}

/** The rows of an act, in their order. */
export const rowsOf = rowsBy(auditTrail, 'actId', 'number')

/** The end of the chain is also stored beside it, so that removing the last rows is detected. */
const headName = 'audit_trail_head'

async function keptHead(db: Db): Promise<ChainEnd | null> {
  const [, number, hash] = /^(\d+):([0-9a-f]{64})$/.exec((await metaValue(db, headName)) ?? '') ?? []
  return number && hash ? { number: Number(number), hash } : null
}

const keepHead = async (tx: Tx, { number, hash }: ChainEnd): Promise<void> => {
  await putMetaValue(tx, headName, `${number}:${hash}`)
}
