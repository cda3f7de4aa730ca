const longestMs = 30_000

/** The pause before a refused stream is opened again: it doubles each time, up to 30 s. */
export const reopenDelayMs = (failures: number): number => Math.min(longestMs, 1000 * 2 ** failures)

/** The stream's URL with the place to resume; browsers do not let scripts set the header Last-Event-ID. */
export function withLastEvent(url: string, lastId: string): string {
  if (lastId === '') return url
  return `${url}${url.includes('?') ? '&' : '?'}lastEventId=${encodeURIComponent(lastId)}`
}
