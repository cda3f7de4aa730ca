import type { ProviderConfig } from './provider-config'

/**
 * Providers that must not be called for a while, because their rate limit was exceeded. In memory: a restart clears it.
 */
export interface CoolDown {
  /** When this provider may be called again; undefined when it may be called now. */
  until(slug: string, config: ProviderConfig, now: Date): Date | undefined
  /** Records that the provider's rate limit is exceeded, with the answer's `Retry-After` header. */
  start(slug: string, config: ProviderConfig, now: Date, retryAfter: string | null): void
}

const usualMs = 30_000
/** Binance's longest ban. A longer time is treated as a mistake. */
const longestMs = 3 * 24 * 60 * 60 * 1000

/** Initially no provider is cooling down. */
export function createCoolDown(): CoolDown {
  const waiting = new Map<string, Date>()
  return {
    until(slug, config, now) {
      if (waiting.size === 0) return undefined
      const key = keyOf(slug, config)
      const at = waiting.get(key)
      // One that is further ahead was begun while the clock was wrong.
      if (at && at > now && at.getTime() - now.getTime() <= longestMs) return at
      waiting.delete(key)
      return undefined
    },
    start(slug, config, now, retryAfter) {
      const waitMs = Math.min(readRetryAfter(retryAfter, now) ?? usualMs, longestMs)
      waiting.set(keyOf(slug, config), new Date(now.getTime() + waitMs))
    },
  }
}

/** The provider's address and account: a new address or key may be tried at once; a new priority changes nothing. */
const keyOf = (slug: string, { baseUrl, url, plan, apiKey, credential, headers }: ProviderConfig): string =>
  JSON.stringify([slug, baseUrl, url, plan, apiKey, credential, headers])

/** `Retry-After` in milliseconds from now: seconds or an HTTP date; undefined when it is neither, or in the past. */
function readRetryAfter(header: string | null, now: Date): number | undefined {
  if (header === null) return undefined
  const waitMs = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - now.getTime()
  return waitMs > 0 ? waitMs : undefined
}
