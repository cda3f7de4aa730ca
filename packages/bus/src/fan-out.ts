import { type EventText, eventCatalogue } from '@bursar/contracts/event'
import type { ServiceName } from '@bursar/contracts/services'
import { packEvents } from './packed-events'
import type { SignedEvents, Signer } from './signature'

/** A job of a queue. It usually contains many events: a job costs far more than an event, here and in Redis. */
interface EventJob {
  /** The event's name, or `batch`. */
  name: string
  data: SignedEvents
  /** The job's id is derived from the events' ids, so that a repeat is recognised. */
  opts: { jobId: string }
}

const batchName = 'batch'

/** Fewer events than this for one consumer get a job each. */
const fewestInBatch = 4
/** The most events of one job: a consumer works on many jobs at once. */
const mostInBatch = 256
const mostText = 512 * 1024

/**
 * Sorts events by the services that consume them, in their order. The names of events that are not in the
 * catalogue are in `unknown`.
 */
export function fanOut(events: readonly EventText[]): { queues: Map<ServiceName, EventText[]>; unknown: string[] } {
  const queues = new Map<ServiceName, EventText[]>()
  const unknown = new Set<string>()
  for (const event of events) {
    const declared = eventCatalogue.get(event.name)
    if (!declared) unknown.add(event.name)
    for (const consumer of new Set(declared?.consumers)) {
      queues.getOrInsertComputed(consumer, () => []).push(event)
    }
  }
  return { queues, unknown: [...unknown] }
}

/** Packs the events of one job. */
type Pack = (jobId: string, events: readonly EventText[]) => string

/** Packs events for several queues only once; for one publish. */
export function packingOnce(): Pack {
  const known = new Map<string, string>()
  return (jobId, events) => known.getOrInsertComputed(jobId, () => packEvents(events))
}

/** Events as jobs for a queue, combined if there are many. */
export function toJobs(queue: ServiceName, events: readonly EventText[], signer: Signer, pack: Pack): EventJob[] {
  if (events.length < fewestInBatch) return events.map((event) => toJob(queue, event, signer, pack))
  return inParts(events).map((part) => {
    const jobId = batchId(part)
    return { name: batchName, data: signer.sign(queue, pack(jobId, part)), opts: { jobId } }
  })
}

/** Splits events into the parts of jobs. */
function inParts(events: readonly EventText[]): EventText[][] {
  const parts: EventText[][] = []
  let part: EventText[] = []
  let length = 0
  for (const event of events) {
    if (part.length === mostInBatch || length + event.text.length > mostText) {
      part = []
      length = 0
    }
    if (part.push(event) === 1) parts.push(part)
    length += event.text.length
  }
  return parts
}

/** An event as a job of its own. */
export const toJob = (queue: ServiceName, event: EventText, signer: Signer, pack: Pack): EventJob => ({
  name: event.name,
  data: signer.sign(queue, pack(event.id, [event])),
  opts: { jobId: event.id },
})

/** Derived from all its events: an event resent with others must not count as a repeat of the job. */
function batchId(events: readonly EventText[]): string {
  const hash = new Bun.CryptoHasher('sha1')
  for (const { id } of events) hash.update(id)
  return `${batchName}-${hash.digest('hex')}`
}
