import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import {
  type Client,
  createClient,
  createIdentity,
  internalSecretFile,
  openInternalSecret,
  serviceConfig,
} from '@bursar/http'
import { environment } from '@bursar/http/environment'
import { callMs } from './ready'

/** Where services answer that are not where the settings say. */
type Asked = Partial<Record<ServiceName, string>>

/** The folder has no secret by which services are asked. None is made: in another folder than theirs they would refuse it. */
export class NoSecretError extends Error {
  override name = 'NoSecretError'
}

/** Calls the running services as one of them, by the secret of INTERNAL_SECRET or the data folder. Throws NoSecretError. */
export function clientOf(name: ServiceName, dataDir: string, at: Asked = {}): Client {
  const { addresses, internalSecret } = serviceConfig(environment(), name)
  if (!internalSecret && !existsSync(join(dataDir, internalSecretFile)))
    throw new NoSecretError(`There is no ${internalSecretFile} in ${dataDir}: is DATA_DIR the folder of the services?`)
  const identity = createIdentity(name, openInternalSecret(dataDir, internalSecret), () => new Date())
  return createClient({ name, identity, urls: { ...addresses, ...at }, timeoutMs: callMs })
}
