import { getUser } from '@bursar/contracts/identity-manager'
import type { ServiceName } from '@bursar/contracts/services'
import { type Caller, identityHeader } from '@bursar/http'
import { bytesOf, jsonOf } from '../access/read-answer'
import type { GatewayDeps } from '../deps'
import { servicePath } from '../front/target'
import { readPathOf } from './reads'

/** What of an object is to be read: by which caller's rights, and for which request. */
export interface ObjectRead {
  readonly service: ServiceName
  readonly route: string
  /** Of the path and the body. */
  readonly values: Readonly<Record<string, string>>
  readonly caller: Caller
  readonly requestId: string
}

type Reader = Pick<GatewayDeps, 'client' | 'config' | 'identity'>

/** An act waits for no more than this. */
const timeoutMs = 2000
const mostBytes = 256 * 1024

/**
 * The object of an act as it is right now: undefined where nothing shows it. Never fails: what cannot be read is in the
 * trail as `{unreadable: reason}`. It is read as its caller sees it, so that what is masked for the caller stays so.
 */
export async function readObject(reader: Reader, read: ObjectRead): Promise<unknown> {
  try {
    if (read.route.includes('/:userId')) return await userOf(reader, read)
    const path = readPathOf(read.service, read.route, read.values)
    return path === null ? undefined : await ask(reader, read, path)
  } catch (error) {
    return { unreadable: error instanceof Error && error.name === 'TimeoutError' ? 'late' : 'the service is away' }
  }
}

/** The identity manager shows one user to services alone; the main API changes users by way of it. */
async function userOf({ client }: Reader, { values: { userId } }: ObjectRead): Promise<unknown> {
  return userId === undefined ? undefined : await client.find(getUser, { params: { id: userId }, timeoutMs })
}

async function ask({ config, identity }: Reader, read: ObjectRead, path: string): Promise<unknown> {
  const { service, caller, requestId } = read
  const url = config.urls[service] + servicePath({ service, path, query: '' })
  const headers = { [identityHeader]: await identity.sign(caller, service), 'x-request-id': requestId }
  const response = await fetch(url, { headers, signal: AbortSignal.timeout(timeoutMs), redirect: 'error' })
  const bytes = await bytesOf(response, mostBytes)
  if (response.status === 404) return null
  if (!response.ok) return { unreadable: `the service answered ${response.status}` }
  return bytes === null ? { unreadable: `more than ${mostBytes / 1024} KiB` } : jsonOf(bytes)
}
