const longestMs = 30_000

/** How long to wait before a refused stream is asked for again: twice as long each time, at most 30 s. */
export const reopenDelayMs = (failures: number): number => Math.min(longestMs, 1000 * 2 ** failures)

/** The stream's URL with where to go on; a browser cannot be given the header Last-Event-ID. */
export function withLastEvent(url: string, lastId: string): string {
  if (lastId === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}lastEventId=${encodeURIComponent(lastId)}`
}
