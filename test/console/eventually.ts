import { until } from '@bursar/testing'

/** Repeats expectations until they hold: a page shows what has changed a moment after it was told. */
export const eventually = (expectations: () => unknown): Promise<true> =>
  until(
    async () => {
      await expectations()
      return true
    },
    { what: 'the page to show it' },
  )
