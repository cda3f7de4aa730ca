import type { ProviderConfig } from './provider-config'

/** Who must not be asked for a while, because they said that we ask too often. Kept in memory: a restart asks again. */
export interface CoolDown {
  /** When this provider may be asked again; undefined when it may be asked now. */
  until(slug: string, config: ProviderConfig, now: Date): Date | undefined
  /** The provider answered that its limit is exceeded, perhaps with a `Retry-After` header. */
  start(slug: string, config: ProviderConfig, now: Date, retryAfter: string | null): void
}

const usualMs = 30_000
/** Binance's longest ban. A longer time is taken for a mistake. */
const longestMs = 3 * 24 * 60 * 60 * 1000

/** Starts with nobody waiting. */
export function createCoolDown(): CoolDown {
  const waiting = new Map<string, Date>()
  return {
    until(slug, config, now) {
      if (waiting.size === 0) return undefined
      const key = keyOf(slug, config)
      const at = waiting.get(key)
      if (at && at > now) return at
      waiting.delete(key)
      return undefined
    },
    start(slug, config, now, retryAfter) {
      const waitMs = Math.min(readRetryAfter(retryAfter, now) ?? usualMs, longestMs)
      waiting.set(keyOf(slug, config), new Date(now.getTime() + waitMs))
    },
  }
}

/** Whom we ask, and as whom: a new address or a new key may be tried at once, another priority changes nothing. */
const keyOf = (slug: string, { baseUrl, url, plan, apiKey, credential, headers }: ProviderConfig): string =>
  JSON.stringify([slug, baseUrl, url, plan, apiKey, credential, headers])

/** `Retry-After` in milliseconds from now: seconds or an HTTP date; undefined when it is neither, or past. */
function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return waitMs > 0 ? waitMs : undefined
}
