import { index, inOneTree, integer, json, sql, table, text, timestamp, uniqueIndex, uuid } from './columns'

/** Committed events that the relay has not published yet, or published some seconds ago. In `seq` order. */
export const outbox = table('outbox', {
  seq: integer().primaryKey({ autoIncrement: true }),
  eventId: text().notNull(),
  name: text().notNull(),
  /** The whole envelope as JSON text, so that a repeat is byte for byte the same. */
  envelope: text().notNull(),
  createdAt: timestamp().notNull(),
  /** Which instance of the service publishes it; empty where one process owns the database. */
  instance: text().notNull().default(''),
})

/** Instances of the service that share the database (work/alive.ts). */
export const instances = table('instances', {
  id: text().primaryKey(),
  /** By the database's clock; an instance past this time has ended. */
  aliveUntil: timestamp().notNull(),
})

/** Work that one instance does at a time, and which one does it (work/lease.ts). */
export const leases = table('leases', {
  /** Of the work. */
  name: text().primaryKey(),
  /** The instance that holds the lease while it is alive. */
  holder: text().notNull(),
  /** Grows whenever another instance takes it. */
  fence: integer().notNull(),
  /** By the database's clock: held at least until then; 0 once released. */
  until: timestamp().notNull(),
})

/**
 * Events that this service has acted on, so that a repeat does nothing. Ids are UUID v7: the oldest receipts come
 * first, except for events acted on late.
 */
export const inbox = inOneTree(table('inbox', { eventId: uuid().primaryKey(), receivedAt: timestamp().notNull() }))

/** Stored answers, for callers that repeat a request with the same idempotency key. */
export const idempotencyKeys = table(
  'idempotency_keys',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** The caller, method and path of the request. */
    scope: text().notNull(),
    key: text().notNull(),
    /** Distinguishes a repeat from another request with the same key. */
    requestHash: text().notNull(),
    status: integer().notNull(),
    body: text().notNull(),
    headers: json<Record<string, string>>(),
    createdAt: timestamp().notNull(),
    /** Null: kept for ever. */
    expiresAt: timestamp(),
  },
  (table) => [
    uniqueIndex('idempotency_keys_key').on(table.scope, table.key),
    index('idempotency_keys_expires_at').on(table.expiresAt).where(sql`${table.expiresAt} is not null`),
  ],
)

/** Facts about the database itself, such as its epoch. */
export const meta = table('meta', { key: text().primaryKey(), value: text().notNull() })

/** The last change of each record that other services keep replicas of. A record that changes again gets a new `seq`. */
export const changes = table(
  'changes',
  {
    seq: integer().primaryKey({ autoIncrement: true }),
    /** The kind of record: `customer`. */
    kind: text().notNull(),
    recordId: text().notNull(),
  },
  (table) => [
    uniqueIndex('changes_record').on(table.kind, table.recordId),
    index('changes_kind').on(table.kind, table.seq),
  ],
)

/** Ranges of numbers, both ends included; ascending, without overlaps. */
export type Ranges = readonly (readonly [from: number, to: number])[]

/** Unprocessed rows of a follower: each row here lists those that one transaction added (followers/arrivals.ts). */
export const arrivals = table('arrivals', {
  number: integer().primaryKey({ autoIncrement: true }),
  follower: text().notNull(),
  /** By kind. */
  rows: json<Record<string, Ranges>>().notNull(),
})

/** How far this service's replicas have followed their owners. */
export const replicas = table('replicas', {
  /** The kind of record: `customer`. */
  kind: text().primaryKey(),
  /** The owner's epoch; 0 while no pull has reached its end. */
  epoch: integer().notNull(),
  /** The highest change that was pulled in that epoch. */
  after: integer().notNull(),
})
