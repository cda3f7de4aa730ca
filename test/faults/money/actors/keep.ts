import type { Answer } from '../client'
import { count, type Promised, type World } from '../world'

/** Remembers what was answered with a transaction: in the end it must be there. */
export function keep(world: World, { status, body }: Answer, promised: Promised): string | null {
  if (status !== 200 && status !== 201) return null
  count(world, `${promised.type} taken`)
  world.promised.set(body.id, promised)
  return body.id
}
