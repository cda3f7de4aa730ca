import type { Actor } from '@bursar/contracts/status-history'
import type { Identity } from './identity'

/** Who makes a request, for records of who did what; null where the request does not prove it. */
export async function actorOf(identity: Identity, request: Request): Promise<Actor | null> {
  const caller = await identity.read(request)
  return caller === null || caller.kind === 'anonymous' ? null : { kind: caller.kind, id: caller.subject }
}
