import type { Log } from '@bursar/contracts/log'
import { services } from '@bursar/contracts/services'
import { beginRun, dialect, epochFileOf, lockFile, type OpenStore, openStore, requireNotMoved } from '@bursar/store'
import { currentRequestId } from '../request/context'
import type { ServiceConfig } from '../settings/config'
import type { Tracer } from '../trace/tracer'
import { traceparentFor } from './service-traces'

/** The service's database: its schema if a server is configured, else its file. */
export async function openOwnStore(
  { name: service, databaseUrl: url }: ServiceConfig,
  { file, migrations }: { file: string; migrations: string },
  { tracer, log }: { tracer: Tracer; log: Log },
): Promise<OpenStore> {
  if ((url === null) !== (dialect === 'sqlite'))
    throw new Error('DATABASE_URL must be a setting of the whole process, from its start')
  if (url === null) requireNotMoved(file)
  const traceparent = (data: unknown, requestId: string | null) => traceparentFor(tracer, data, requestId)
  const common = { service, migrations, requestId: currentRequestId, traceparent, log }
  const store = await (url === null
    ? openStore({ ...common, file })
    : openLocked(file, () => openStore({ ...common, url, schema: services[service].slug })))
  await beginRun(store, epochFileOf(file)).catch(async (error: unknown) => {
    await store.close()
    throw error
  })
  return store
}

/** A store on a server, whose process still holds the lock of the file: its keys are in that folder. */
async function openLocked(file: string, open: () => Promise<OpenStore>): Promise<OpenStore> {
  const lock = lockFile(file, 'What belongs to')
  try {
    const store = await open()
    return { ...store, close: () => store.close().finally(lock.release) }
  } catch (error) {
    lock.release()
    throw error
  }
}
