import type { Identity } from '@bursar/http'
import { type Act, type Actor, actorOf } from './decisions'

interface Deps {
  readonly identity: Identity
}

/** Who a request proves to act; null for nobody. */
export const actorIn = async ({ identity }: Deps, request: Request): Promise<Actor | null> =>
  actorOf(await identity.read(request))

/** A request's act: who acts, and what was said with it. */
export const actOf = async (deps: Deps, request: Request, note: Act['note']): Promise<Act> => ({
  actor: await actorIn(deps, request),
  note,
})
