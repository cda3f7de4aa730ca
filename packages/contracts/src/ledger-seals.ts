import { readCall } from './call'
import { event } from './event'
import { type Static, t, timestamp, uuid } from './schema'

/** The end of the ledger's journal as it was sealed. */
export const LedgerHead = t.Object({
  /** The version of this form. */
  v: t.Literal(1),
  /** The lineage of the ledger's database: generated for an empty database, and again by a start with NEW_BOOKS=yes. */
  books: uuid(),
  /** The number of seals. */
  number: t.Integer({ minimum: 0 }),
  /** The highest entry of the journal that is sealed; 0 while none is. */
  lastSeq: t.Integer({ minimum: 0 }),
  /** The last seal's hash, SHA-256 in lower-case hex; zeros while there is none. */
  hash: t.String({ pattern: '^[0-9a-f]{64}$' }),
  sealedAt: timestamp(),
})
export type LedgerHead = Static<typeof LedgerHead>

/**
 * The journal was sealed up to this head. The log tracker stores it, so that a rewritten or older ledger file is
 * noticed.
 */
export const JournalSealed = event('core-ledger.journal.sealed', LedgerHead, { consumers: ['log-tracker'] })

/** For the ledger: the newest head of the books in use; 404 when there was none yet. */
export const getNewestLedgerHead = readCall('log-tracker', 'GET', '/internal/ledger-heads/newest', LedgerHead)
