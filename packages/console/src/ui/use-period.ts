import { useStore } from '../api/store'
import { periodOf } from '../format/time'
import { zoneStore } from './preferences'

/** The days of a filter in the shown zone, for services whose times are inclusive. */
export const usePeriod = (days: { from: string; to: string }) => periodOf(days, useStore(zoneStore))
