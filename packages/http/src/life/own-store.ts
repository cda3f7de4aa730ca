import type { Log } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { beginRun, dialect, epochFileOf, type OpenStore, openStore } from '@bursar/store'
import { currentRequestId } from '../request/context'
import type { ServiceConfig } from '../settings/config'
import type { Tracer } from '../trace/tracer'
import { traceparentFor } from './service-traces'

/** The service's database: its schema where a server is set, else its file. */
export async function openOwnStore(
  { name: service, databaseUrl: url }: ServiceConfig,
  { file, migrations }: { file: string; migrations: string },
  { tracer, log }: { tracer: Tracer; log: Log },
): Promise<OpenStore> {
  if ((url === null) !== (dialect === 'sqlite'))
    throw new Error('DATABASE_URL must be a setting of the whole process, from its start')
  const traceparent = (data: unknown) => traceparentFor(tracer, data)
  const place = url === null ? { file } : { url, schema: services[service].slug }
  const store = await openStore({ service, ...place, migrations, requestId: currentRequestId, traceparent, log })
  await beginRun(store, epochFileOf(file)).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return store
}
