import { actorOf, idempotent, type RepeatableContext } from '@bursar/http'
import type { Tx } from '@bursar/store'
import type { QuoteDeps } from '../deps'

/** Who changes the basis of prices, and when. */
export interface Author {
  /** Null for a caller that is no user. */
  userId: string | null
  now: Date
}

/** Commits of requests that change the basis of prices: they record their author. */
export function authored(deps: QuoteDeps) {
  const once = idempotent(deps)

  async function change<R>(request: Request, work: (tx: Tx, by: Author) => Promise<R>): Promise<R> {
    const actor = await actorOf(deps.identity, request)
    const userId = actor?.kind === 'user' ? actor.id : null
    return await deps.store.commit((tx) => work(tx, { userId, now: deps.now() }))
  }

  /** Creates what `work` returns, once per idempotency key. */
  const create = <T>({ request, set }: RepeatableContext, work: (tx: Tx, by: Author) => Promise<T>) =>
    once({ request, set }, (reply) => change(request, async (tx, by) => reply(tx, 201, await work(tx, by))))

  return { change, create }
}
