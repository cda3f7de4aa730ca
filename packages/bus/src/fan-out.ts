import { type Envelope, eventCatalogue } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'

/** What goes on one queue: the event's id is the job's, so that a repeat is recognised. */
export interface EventJob {
  name: string
  data: Envelope
  opts: { jobId: string }
}

/**
 * Sorts events by the queues of those who hear them, in their order. An event that the catalogue does not know goes to
 * nobody and is named in `unknown`.
 */
export function fanOut(envelopes: readonly Envelope[]): { jobs: Map<ServiceName, EventJob[]>; unknown: string[] } {
  const jobs = new Map<ServiceName, EventJob[]>()
  const unknown = new Set<string>()
  for (const envelope of envelopes) {
    const event = eventCatalogue.get(envelope.name)
    if (!event) unknown.add(envelope.name)
    for (const consumer of new Set(event?.consumers)) {
      const queued = jobs.get(consumer) ?? []
      queued.push({ name: envelope.name, data: envelope, opts: { jobId: envelope.id } })
      jobs.set(consumer, queued)
    }
  }
  return { jobs, unknown: [...unknown] }
}
