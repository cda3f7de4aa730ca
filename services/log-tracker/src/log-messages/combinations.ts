import type { SeriesFilter } from './message-filter'

/** The names that a message is counted by; an empty one means all. */
export interface Names {
  service: string
  eventType: string
  status: string
}

/** Which of the three names each combination has; the one that has none is counted by the block itself. */
const parts = [
  ['service'],
  ['eventType'],
  ['status'],
  ['service', 'eventType'],
  ['service', 'status'],
  ['eventType', 'status'],
  ['service', 'eventType', 'status'],
] as const

/** The seven rows of `time_block_counts` that a message of these names counts in. */
export const combinationsOf = <V>(names: Record<keyof Names, V>) =>
  parts.map((part) => {
    const has = (name: keyof Names) => part.some((one) => one === name)
    return {
      service: has('service') ? names.service : '',
      eventType: has('eventType') ? names.eventType : '',
      status: has('status') ? names.status : '',
    }
  })

/** The one row that counts the messages that a filter selects. */
export const combinationFor = ({ service, eventType, status }: SeriesFilter): Names => ({
  service: service ?? '',
  eventType: eventType ?? '',
  status: status ?? '',
})
