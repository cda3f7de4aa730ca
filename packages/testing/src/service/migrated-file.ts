import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dialect, type OpenStore, openStore, type ServerOptions, type StoreOptions } from '@bursar/store'
import { tempDir } from '../temp-dir'
import { placeOf } from './databases'

/** The file of an empty migrated database, by the folder of its migrations. */
const migrated = new Map<string, Promise<Buffer>>()

/** How it is opened; the guard is of a server. */
export type Opened = StoreOptions & Pick<ServerOptions, 'guard'>

/**
 * One on the server that stays open: stores of a process share connections while any of them is open, and a new connection costs
 * the server more than most tests.
 */
let open: Promise<OpenStore> | undefined

/** Opens a service's database, as it is or new: that file, or its place on a server. */
export async function openMigrated(options: Opened): Promise<OpenStore> {
  await makeMigrated(options)
  const { file, ...others } = options
  const { service, migrations } = options
  const place = placeOf(file)
  if ('url' in place) {
    open ??= openStore({ service, migrations, ...place, schema: `test_kept_${process.pid}` })
    await open
  }
  return await openStore({ ...others, ...place })
}

/**
 * Makes a service's file if there is none: a copy of an empty one, migrated once in this process, because
 * migrations take longer than most tests.
 */
export async function makeMigrated({ file, migrations }: Pick<StoreOptions, 'file' | 'migrations'>): Promise<void> {
  if (dialect !== 'sqlite' || existsSync(file)) return
  const bytes = await migrated.getOrInsertComputed(migrations, makeEmpty)
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, bytes, { mode: 0o600 })
}

async function makeEmpty(migrations: string): Promise<Buffer> {
  const file = join(tempDir(), 'empty.sqlite')
  const store = await openStore({ service: 'empty', file, migrations })
  await store.close()
  return readFileSync(file)
}
