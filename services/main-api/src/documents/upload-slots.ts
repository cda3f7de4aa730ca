import { fail } from '../errors'

/** How many files may be read at once: each takes its size in memory some times over. */
const mostUploads = 8

/** Runs the work of an upload. Fails (503) while too many others are under way. */
export function uploadSlots(): <R>(work: () => Promise<R>) => Promise<R> {
  let underWay = 0
  return async (work) => {
    if (underWay >= mostUploads) throw fail('SERVICE_UNAVAILABLE', { headers: { 'retry-after': '1' } })
    underWay++
    try {
      return await work()
    } finally {
      underWay--
    }
  }
}
