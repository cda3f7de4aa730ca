import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ServiceName, services } from '@bursar/contracts/services'
import { databaseSetting } from '@bursar/http'
import { environment } from '@bursar/http/environment'
import type { Place } from '@bursar/store'

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
