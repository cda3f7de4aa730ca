import type { ServiceName } from '@bursar/contracts/services'
import { type Client, createClient, createIdentity, openInternalSecret, serviceConfig } from '@bursar/http'
import { environment } from '@bursar/http/environment'

interface Asking {
  /** Where services answer that are not where the settings say. */
  at?: Partial<Record<ServiceName, string>>
  timeoutMs?: number
}

/** Calls the running services as one of them, by the secret of INTERNAL_SECRET or the data folder. */
export function clientOf(name: ServiceName, dataDir: string, { at, ...limits }: Asking = {}): Client {
  const { addresses, internalSecret } = serviceConfig(environment(), name)
  const identity = createIdentity(name, openInternalSecret(dataDir, internalSecret), () => new Date())
  return createClient({ name, identity, urls: { ...addresses, ...at }, ...limits })
}
