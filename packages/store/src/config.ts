import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const isSet = (name: string): boolean => Boolean(process.env[name])

/** Whether systemd provides it as a credential. */
function isCredential(name: string): boolean {
  const folder = process.env.CREDENTIALS_DIRECTORY
  return Boolean(folder) && existsSync(join(folder as string, name))
}

/**
 * The database that the tables of this process are declared for: PostgreSQL if DATABASE_URL names a server, in any form
 * in which a secret is given; in tests TEST_DATABASE_URL.
 */
export const dialect: 'sqlite' | 'postgresql' =
  ['DATABASE_URL', 'DATABASE_URL_FILE', 'TEST_DATABASE_URL'].some(isSet) || isCredential('DATABASE_URL')
    ? 'postgresql'
    : 'sqlite'

/** The folder of a service's migrations for this process's kind of database; `folder` has those of all kinds. */
export const migrationsIn = (folder: URL): string =>
  join(fileURLToPath(folder), dialect === 'sqlite' ? 'sqlite' : 'postgres')
