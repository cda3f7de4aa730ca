import { type Envelope, eventCatalogue } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'

/** Several events in one job: what a job costs, here and in Redis, is far more than what an event does. */
export interface Batch {
  events: Envelope[]
}

/** What goes on a queue: an event whose id is the job's, so that a repeat is recognised, or a batch of them. */
export interface EventJob {
  name: string
  data: Envelope | Batch
  opts: { jobId: string }
}

export const batchName = 'batch'

/** Fewer events than this for one consumer go as a job each. */
const fewestInBatch = 4
const mostInBatch = 50

/**
 * Sorts events by the queues of those who hear them, in their order. An event that the catalogue does not know goes to
 * nobody and is named in `unknown`.
 */
export function fanOut(envelopes: readonly Envelope[]): { jobs: Map<ServiceName, EventJob[]>; unknown: string[] } {
  const heard = new Map<ServiceName, Envelope[]>()
  const unknown = new Set<string>()
  for (const envelope of envelopes) {
    const event = eventCatalogue.get(envelope.name)
    if (!event) unknown.add(envelope.name)
    for (const consumer of new Set(event?.consumers)) {
      const events = heard.get(consumer)
      if (events) events.push(envelope)
      else heard.set(consumer, [envelope])
    }
  }
  const jobs = new Map([...heard].map(([consumer, events]) => [consumer, toJobs(events)]))
  return { jobs, unknown: [...unknown] }
}

function toJobs(events: readonly Envelope[]): EventJob[] {
  if (events.length < fewestInBatch) return events.map(toJob)
  const jobs: EventJob[] = []
  for (let start = 0; start < events.length; start += mostInBatch) {
    const part = events.slice(start, start + mostInBatch)
    jobs.push({
      name: batchName,
      data: { events: part },
      opts: { jobId: `${batchName}-${part[0]?.id}-${part.length}` },
    })
  }
  return jobs
}

/** An event as a job of its own. */
export const toJob = (envelope: Envelope): EventJob => ({
  name: envelope.name,
  data: envelope,
  opts: { jobId: envelope.id },
})
