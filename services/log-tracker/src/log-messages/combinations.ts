import type { SeriesFilter } from './message-filter'

/** The names by which a message is counted; an empty one means all. */
export interface Names {
  service: string
  eventType: string
  status: string
}

/** The name that messages are sorted by. */
export const nameOf = { service: 'service', status: 'status', event_type: 'eventType' } as const

/** The seven rows of `time_block_counts` that a message of these names counts in: the block itself counts all names. */
export const combinationsOf = <V>(names: Record<keyof Names, V>) =>
  [names.service, '']
    .flatMap((service) => [names.eventType, ''].map((eventType) => ({ service, eventType })))
    .flatMap((some) => [names.status, ''].map((status) => ({ ...some, status })))
    .slice(0, -1)

/** The one row that counts the messages that a filter selects. */
export const combinationFor = ({ service, eventType, status }: SeriesFilter): Names => ({
  service: service ?? '',
  eventType: eventType ?? '',
  status: status ?? '',
})
