import type { SeriesFilter } from './message-filter'

/** The names by which a message is counted; an empty one means all. */
export interface Names {
  service: string
  eventType: string
  status: string
}

/** The names in each combination; the combination of none is counted by the block itself. */
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
