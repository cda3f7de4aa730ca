import { type Envelope, type EventText, eventCatalogue } from '@bursar/contracts/event'

/** Events in their order, without those that tell a state of a record of which a newer one is among them. */
export function newestStates<E extends EventText & { seq: number }>(events: readonly E[]): E[] {
  // A single one of its name has no newer one, and need not be parsed.
  const alike = Map.groupBy(events, ({ name }) => name)
  const records = events.map((event) => ((alike.get(event.name)?.length ?? 0) > 1 ? recordOf(event) : null))
  const newest = new Map<string, number>()
  for (const [i, record] of records.entries()) {
    const { seq } = events[i] as E
    if (record !== null && seq > (newest.get(record) ?? 0)) newest.set(record, seq)
  }
  return events.filter(({ seq }, i) => {
    const record = records[i] as string | null
    return record === null || newest.get(record) === seq
  })
}

/** The record whose state an event tells; null for an event that must go out in any case. */
function recordOf({ name, text }: EventText): string | null {
  const stateOf = eventCatalogue.get(name)?.stateOf
  return stateOf ? `${name} ${stateOf((JSON.parse(text) as Envelope<never>).data)}` : null
}
