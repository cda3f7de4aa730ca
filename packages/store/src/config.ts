import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const isSet = (name: string): boolean => Boolean(process.env[name])

/** Whether systemd brings it along. */
function isCredential(name: string): boolean {
  const folder = process.env.CREDENTIALS_DIRECTORY
  return Boolean(folder) && existsSync(join(folder as string, name))
}

/**
 * Which database the tables of this process are declared for: PostgreSQL where DATABASE_URL names a server, in any of the ways
 * that a secret is given, and in tests that name one by TEST_DATABASE_URL.
 */
export const dialect: 'sqlite' | 'postgresql' =
  ['DATABASE_URL', 'DATABASE_URL_FILE', 'TEST_DATABASE_URL'].some(isSet) || isCredential('DATABASE_URL')
    ? 'postgresql'
    : 'sqlite'

/** The folder of a service's migrations for the database of this process, in the folder of all of them. */
export const migrationsIn = (folder: URL): string =>
  join(fileURLToPath(folder), dialect === 'sqlite' ? 'sqlite' : 'postgres')
