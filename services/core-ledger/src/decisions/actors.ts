import type { Identity } from '@bursar/http'
import { type Act, type Actor, actorOf } from './decisions'

interface Deps {
  readonly identity: Identity
}

/** The authenticated actor of a request; null for none. */
export const actorIn = async ({ identity }: Deps, request: Request): Promise<Actor | null> =>
  actorOf(await identity.read(request))

/** The act of a request: the actor and the note. */
export const actOf = async (deps: Deps, request: Request, note: Act['note']): Promise<Act> => ({
  actor: await actorIn(deps, request),
  note,
})
