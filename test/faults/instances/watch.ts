// What the test itself sees in the database: it notes each event that is emitted, who says that it is alive and takes which lease, and
// who writes what one instance at a time may write. Triggers of the test's own do that, in a schema of its own.
import { type ServiceName, services } from '@bursar/contracts/services'
import type { Deployment } from './deployment'

/** Work that one instance does at a time, and a table that nothing else writes. */
const alone = [
  { schema: 'core', lease: 'The sealing of the journal', table: 'journal_seals' },
  { schema: 'core', lease: 'The folding of the journal', table: 'daily_totals' },
  { schema: 'notification', lease: 'The recording of events', table: 'events' },
  { schema: 'tracker', lease: 'The recording of log messages', table: 'log_messages' },
] as const

export const schemas = Object.values(services).map(({ slug }) => slug)
export const schemaOf = (service: ServiceName): string => services[service].slug

/** As PostgreSQL reads it. */
export const textArray = (texts: readonly string[]): string => `{${texts.map((text) => `"${text}"`).join(',')}}`

/** To be made while nothing moves: each service has its tables then. */
export async function startNoting({ postgres }: Deployment): Promise<void> {
  const client = new Bun.SQL(postgres.url, { max: 1 })
  await client.unsafe(noting).simple()
  for (const schema of schemas) {
    await client.unsafe(trigger('emitted', schema, 'outbox', 'INSERT')).simple()
    await client.unsafe(trigger('taken', schema, 'leases', 'INSERT OR UPDATE')).simple()
    await client.unsafe(trigger('beaten', schema, 'instances', 'INSERT OR UPDATE')).simple()
  }
  for (const { schema, table } of alone)
    await client.unsafe(trigger('written', schema, table, 'INSERT OR UPDATE OR DELETE')).simple()
  await client.close()
}

const trigger = (what: string, schema: string, table: string, when: string): string =>
  `CREATE TRIGGER seen_${what} AFTER ${when} ON "${schema}"."${table}" FOR EACH ROW EXECUTE FUNCTION seen.${what}()`

const noting = `CREATE SCHEMA seen;
  CREATE TABLE seen.events (schema text, id text, name text);
  CREATE TABLE seen.leases (schema text, name text, holder text, fence bigint, login text, at timestamptz);
  CREATE TABLE seen.beats (schema text, instance text, at timestamptz);
  CREATE TABLE seen.writes (schema text, "table" text, login text, at timestamptz);
  CREATE FUNCTION seen.emitted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen.events VALUES (TG_TABLE_SCHEMA, NEW.event_id, NEW.name); RETURN NULL; END $$;
  CREATE FUNCTION seen.taken() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen.leases
      VALUES (TG_TABLE_SCHEMA, NEW.name, NEW.holder, NEW.fence, session_user, clock_timestamp());
    RETURN NULL; END $$;
  CREATE FUNCTION seen.beaten() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen.beats VALUES (TG_TABLE_SCHEMA, NEW.id, clock_timestamp()); RETURN NULL; END $$;
  CREATE FUNCTION seen.written() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    INSERT INTO seen.writes VALUES (TG_TABLE_SCHEMA, TG_TABLE_NAME, session_user, clock_timestamp());
    RETURN NULL; END $$`

/** A machine that was stopped for a while. */
export interface Freeze {
  user: string
  from: Date
  upTo: Date
}

export interface Frozen {
  /** Leases that the machine had and lost meanwhile. */
  lost: number
  /** The longest that one of them rested, from when it was stopped. */
  longestRestSeconds: number
  /** What it wrote under one of them afterwards. */
  wrong: string[]
}

interface LeaseRow {
  schema: string
  name: string
  login: string
  at: Date
}

/** What a machine that was stopped did afterwards. */
export async function afterFreeze(client: Bun.SQL, { user, from, upTo }: Freeze): Promise<Frozen> {
  const takes = (await client.unsafe('SELECT schema, name, login, at FROM seen.leases ORDER BY at')) as LeaseRow[]
  const found: Frozen = { lost: 0, longestRestSeconds: 0, wrong: [] }
  for (const [place, of] of Map.groupBy(takes, ({ schema, name }) => `${schema} ${name}`)) {
    const before = of.findLast(({ at }) => at < from)
    const next = of.find(({ at, login }) => at >= from && at <= upTo && login !== user)
    if (before?.login !== user || !next) continue
    found.lost += 1
    found.longestRestSeconds = Math.max(found.longestRestSeconds, (next.at.getTime() - from.getTime()) / 1000)
    const guarded = alone.find(({ schema, lease }) => place === `${schema} ${lease}`)
    const again = of.find(({ at, login }) => at > upTo && login === user)?.at ?? new Date(8.64e15)
    if (guarded) {
      const { schema, table } = guarded
      const writes = await client.unsafe(
        'SELECT count(*)::int AS n FROM seen.writes WHERE schema = $1 AND "table" = $2 AND login = $3 AND at > $4 AND at < $5',
        [schema, table, user, upTo, again.getTime() > 8e15 ? new Date('9999-01-01') : again],
      )
      if (writes[0].n > 0)
        found.wrong.push(`${user} wrote ${writes[0].n} times to ${schema}.${table} under a lease it had lost`)
    }
  }
  return found
}

/** How long work rested whose holder was killed, at most: from its last sign of life, or its last word on the work, to the next holder. */
export async function longestRest(client: Bun.SQL): Promise<{ seconds: number; what: string }> {
  const [row] = await client.unsafe(
    `
    SELECT extract(epoch FROM at - greatest(before, beaten))::float AS seconds, schema || ': ' || name AS what FROM (
      SELECT *, (SELECT max(beats.at) FROM seen.beats
        WHERE beats.schema = takes.schema AND beats.instance = other AND beats.at < takes.at) AS beaten
      FROM (
        SELECT schema, name, holder, at, lag(holder) OVER of_one AS other, lag(at) OVER of_one AS before FROM seen.leases
        WINDOW of_one AS (PARTITION BY schema, name ORDER BY at)) AS takes) AS rests
    WHERE other <> holder AND name = ANY($1::text[]) ORDER BY 1 DESC LIMIT 1`,
    [textArray(alone.map(({ lease }) => lease))],
  )
  return row ?? { seconds: 0, what: 'nothing' }
}

/** Counts the connections of services to the server each second. */
export function countConnections({ postgres }: Deployment) {
  let most = 0
  const client = new Bun.SQL(postgres.url, { max: 1, connectionTimeout: 5 })
  const look = async () => {
    const [row] = await client.unsafe(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename LIKE 'machine%'",
    )
    most = Math.max(most, row.n)
  }
  // While the server restarts there are none.
  const timer = setInterval(() => void look().catch(() => {}), 1000)
  return {
    most: () => most,
    async stop() {
      clearInterval(timer)
      await client.close()
    },
  }
}
