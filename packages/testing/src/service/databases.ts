// Where tests keep the databases of services: in files, or on the server that TEST_DATABASE_URL names.
import { dialect } from '@bursar/store'

/** Null where databases are files. */
const server = dialect === 'sqlite' ? null : (process.env.TEST_DATABASE_URL ?? '')

/** The database that this file's path names: the file, or a schema of its own. */
export const placeOf = (file: string): { file: string } | { url: string; schema: string } =>
  server === null ? { file } : { url: server, schema: `test_${nameOf(file)}` }

/** The settings of services whose data folder this is: on a server they share a database of their own. */
export async function databaseSettings(dataDir: string): Promise<{ DATABASE_URL?: string }> {
  if (server === null) return {}
  const name = `test_${nameOf(dataDir)}`
  await onServer(`CREATE DATABASE "${name}"`)
  const url = new URL(server)
  url.pathname = name
  return { DATABASE_URL: url.href }
}

/** Ends what `databaseSettings` has made. */
export async function dropDatabase({ DATABASE_URL: url }: { DATABASE_URL?: string | undefined }): Promise<void> {
  if (url) await onServer(`DROP DATABASE IF EXISTS "${new URL(url).pathname.slice(1)}" WITH (FORCE)`)
}

const nameOf = (path: string): string => Bun.hash(path).toString(36)

const onServer = (text: string) => withClient(server ?? '', (client) => client.unsafe(text))

/** Gives the work a client of a server, and closes it afterwards. */
export async function withClient<T>(url: string, work: (client: Bun.SQL) => Promise<T>): Promise<T> {
  const client = new Bun.SQL(url, { max: 1 })
  try {
    return await work(client)
  } finally {
    await client.close()
  }
}
