import { readdirSync } from 'node:fs'
import { messageOf } from '@bursar/contracts/log'
import { type ServiceName, serviceNames, services } from '@bursar/contracts/services'
import { databaseSetting } from '@bursar/http'
import { connectionsOf, openForReading, type Reading } from '@bursar/store'
import { folderOf, oldestVersion } from '../move/requirements'
import { allInOne, groups } from '../stack/groups'
import { type Examination, type Finding, findingsAbout } from './finding'

const { ok, warning, wrong } = findingsAbout('database')

/** The connections of one instance of each service at most, by how they share processes. */
const needed = {
  apart: serviceNames.length * connectionsOf(1),
  inGroups: ofProcesses(groups),
  allInOne: ofProcesses(allInOne),
}

function ofProcesses(processes: Record<string, readonly ServiceName[]>): number {
  return Object.values(processes).reduce((sum, members) => sum + connectionsOf(members.length), 0)
}

const mebibyte = 1024 * 1024

/** The server of DATABASE_URL: whether it keeps what it is given, has room for the services, and has their data of this release. */
export const examineDatabase: Examination = async ({ env }) => {
  const url = databaseSetting(env)
  if (url === null) return []
  const server = await openForReading({ url, schema: 'public' })
  try {
    return [...(await examineServer(server)), ...(await examineSchemas(server))]
  } catch (error) {
    return [wrong(`The PostgreSQL server cannot be used (${messageOf(error)}): check that it runs, and DATABASE_URL`)]
  } finally {
    await server.close()
  }
}

const about = `SELECT current_setting('server_version_num')::int AS version, current_setting('fsync') AS fsync,
  current_setting('full_page_writes') AS pages, current_setting('synchronous_commit') AS commits,
  current_setting('max_connections')::int AS most, pg_is_in_recovery() AS replica,
  has_database_privilege(current_database(), 'CREATE') AS may,
  (SELECT count(*)::int FROM pg_stat_activity WHERE backend_type = 'client backend') AS used,
  (SELECT count(*)::int FROM pg_stat_activity WHERE usename = current_user AND datname = current_database()
    AND pid <> pg_backend_pid()) AS own`

async function examineServer(server: Reading): Promise<Finding[]> {
  const [row = {}] = await server.rows(about)
  const { version, fsync, pages, commits, most, replica, may, used, own } = row as Record<string, unknown>
  const release = Math.floor(Number(version) / 10_000)
  const faults: [boolean, string][] = [
    [release < oldestVersion, `the server is PostgreSQL ${release}: ${oldestVersion} or later is needed`],
    [replica === true, 'the server is a replica, which takes no writes: name the primary in DATABASE_URL'],
    [may !== true, 'the user may not create schemas there: GRANT CREATE ON DATABASE … TO …'],
    [fsync === 'off' || pages === 'off', 'a power cut may destroy it: set fsync and full_page_writes to on'],
    [commits === 'off', 'it answers before a commit is on the disk: set synchronous_commit to on'],
  ]
  const found = faults.filter(([applies]) => applies).map(([, says]) => wrong(says))
  const says =
    `${used} of ${most} connections are in use; one instance of each service holds up to ${needed.apart}, ` +
    `in groups ${needed.inGroups}, in one process ${needed.allInOne}`
  // Running services have some of theirs already.
  const isTight = Number(most) - Number(used) + Number(own) < needed.apart
  found.push(isTight ? warning(`${says}: raise max_connections, or start them so that they fit`) : ok(says))
  return found
}

const sizes = `SELECT n.nspname AS name, coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint AS bytes
  FROM pg_catalog.pg_namespace n LEFT JOIN pg_catalog.pg_class c ON c.relnamespace = n.oid AND c.relkind = 'r'
  GROUP BY n.nspname`

async function examineSchemas(server: Reading): Promise<Finding[]> {
  const bytes = new Map((await server.rows(sizes)).map(({ name, bytes: size }) => [String(name), Number(size)]))
  const there = serviceNames.filter((name) => bytes.has(services[name].slug))
  const found: Finding[] = []
  for (const name of there) {
    const { slug } = services[name]
    const [row] = await server.rows(`SELECT count(*)::int AS applied FROM "${slug}".__drizzle_migrations`)
    const known = readdirSync(folderOf(name, 'postgres')).filter((file) => file.endsWith('.sql')).length
    if (Number(row?.applied) > known)
      found.push(wrong(`the schema ${slug} is of a newer release: start that one, or restore a backup from before it`))
  }
  const halves = [...bytes.keys()].filter((name) => name.startsWith('moving_'))
  if (halves.length > 0)
    found.push(warning('a move of files did not end: run bun run move again, which begins anew, or drop its schemas'))
  const total = there.reduce((sum, name) => sum + (bytes.get(services[name].slug) ?? 0), 0)
  found.push(
    ok(
      `${there.length} schemas of services have ${Math.ceil(total / mebibyte)} MiB; its free disk cannot be seen from here`,
    ),
  )
  return found
}
