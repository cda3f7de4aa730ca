import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { databaseSetting } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import type { Place } from '@bursar/store'
import { home } from './installation'

/** The data folder: that of --data-dir, else DATA_DIR, else `data`; beside .env where it is relative. */
export const dataDirOf = (given?: string): string => resolve(home, given ?? (process.env.DATA_DIR || 'data'))

/** Where a service's database is: its schema on the server of DATABASE_URL, or its file in the data folder. */
export function placeOf(service: ServiceName, dataDir: string): Place {
  const { slug } = services[service]
  const url = databaseSetting(environment())
  return url === null ? { file: join(dataDir, `${slug}.sqlite`) } : { url, schema: slug }
}

/** The same; null where there is no such file. */
export function knownPlaceOf(service: ServiceName, dataDir: string): Place | null {
  const place = placeOf(service, dataDir)
  return 'file' in place && !existsSync(place.file) ? null : place
}

/** For commands about files: throws where the data is on a server. */
export function requireFiles(): void {
  if (databaseSetting(environment()) !== null)
    throw new Error('DATABASE_URL is set: the data is on a server, not in files. See PostgreSQL in docs/operations.md.')
}
