import { actorOf, type Identity } from '@bursar/http'

/** The user who makes a request; null for other callers. */
export async function userOf(identity: Identity, request: Request): Promise<string | null> {
  const actor = await actorOf(identity, request)
  return actor?.kind === 'user' ? actor.id : null
}
