import { type Envelope, type EventType, eventCatalogue } from '@bursar/contracts/event'
import type { TSchema } from '@bursar/contracts/schema'
import { type TypeCheck, TypeCompiler } from '@sinclair/typebox/compiler'

const compiled = new WeakMap<EventType, TypeCheck<TSchema>>()
const mostMismatches = 3

/**
 * The violation of its event's schema by an envelope's data, without quoting the data; null if there is none.
 * Throws when the catalogue does not know the event: this process may be older than the one that sent it.
 */
export function mismatch(envelope: Envelope): string | null {
  const event = eventCatalogue.get(envelope.name)
  if (!event) throw new Error(`No event ${envelope.name} in the catalogue of this process`)
  const check = compiled.getOrInsertComputed(event, () => TypeCompiler.Compile(event.payload))
  if (check.Check(envelope.data)) return null
  const found: string[] = []
  for (const error of check.Errors(envelope.data)) {
    found.push(`${error.path || '/'}: ${error.message}`)
    if (found.length === mostMismatches) break
  }
  return found.join('; ')
}
