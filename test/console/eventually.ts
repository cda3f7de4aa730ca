import { until } from '@bursar/testing'

/** Repeats expectations until they hold: a page shows a change a moment after its event. */
export const eventually = (expectations: () => unknown): Promise<true> =>
  until(
    async () => {
      await expectations()
      return true
    },
    { what: 'the page to show it' },
  )
