import { getUser } from '@bursar/contracts/identity-manager'
import type { ServiceName } from '@bursar/contracts/services'
import { type Caller, fetchPeer, identityHeader } from '@bursar/http'
import { bytesOf, jsonOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { servicePath } from '../front/target'
import { readPathOf } from './reads'

/** An object to read: with the caller's rights, and for the request. */
export interface ObjectRead {
  readonly service: ServiceName
  readonly route: string
  /** The values of the path and the body. */
  readonly values: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly requestId: string
}

type Reader = Pick<GatewayDeps, 'client' | 'config' | 'identity' | 'restarts'>

/** The longest that an action waits for this. */
const timeoutMs = 2000
const mostBytes = 256 * 1024

/**
 * The present object of an action; undefined if no route returns it. Never fails: an unreadable object is in the
 * trail as `{unreadable: reason}`. It is read with the caller's rights, so that masked values stay masked.
 */
export async function readObject(reader: Reader, read: ObjectRead): Promise<unknown> {
  try {
    const { userId: id } = read.values
    // Only services can read one user from the identity manager, through which the main API changes users.
    if (id !== undefined && read.route.includes('/:userId'))
      return await reader.client.find(getUser, { params: { id }, timeoutMs })
    const path = readPathOf(read.service, read.route, read.values)
    return path === null ? undefined : await ask(reader, read, path)
  } catch (error) {
    return { unreadable: error instanceof Error && error.name === 'TimeoutError' ? 'late' : 'the service is away' }
  }
}

async function ask({ config, identity, restarts }: Reader, read: ObjectRead, path: string): Promise<unknown> {
  const { service, caller, requestId } = read
  const asked = servicePath({ service, path, query: '' })
  const headers = { [identityHeader]: await identity.sign(caller, service), 'x-request-id': requestId }
  const signal = AbortSignal.timeout(timeoutMs)
  const response = await restarts.send(
    config.addresses[service],
    (address) => fetchPeer(address + asked, { headers, signal, redirect: 'error' }),
    { isRepeatable: true, timeoutMs, signal },
  )
  const bytes = await bytesOf(response, mostBytes)
  if (response.status === 404) return null
  if (!response.ok) return { unreadable: `the service answered ${response.status}` }
  return bytes === null ? { unreadable: `more than ${mostBytes / 1024} KiB` } : jsonOf(bytes)
}
