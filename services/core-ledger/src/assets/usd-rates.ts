import { createRate, getHighestRate, ratePatienceMs } from '@bursar/contracts/quote'
import type { Client } from '@bursar/http'

interface Entry {
  rate: Promise<number | null>
  /** When it was fetched and until when it is valid, in ms since 1970; Infinity while it is being fetched. */
  since: number
  until: number
}

const keptMs = 60_000
/** Caches failures, so that an unreachable quote service is not called for each dashboard. */
const failureKeptMs = 5000
const callsAtOnce = 8

/** How the quote service is asked for one code. Rejects with CallError. */
type Ask = (client: Client, code: string, now: number) => Promise<number>

const current: Ask = async (client, code) =>
  (await client.call(createRate, { body: { assetCode: code }, timeoutMs: ratePatienceMs })).rate

const dayMs = 86_400_000

/** The highest rate of the last 24 hours: lowering a price does not lower the value of transactions at once. */
export const highestOfDay: Ask = async (client, code, at) => {
  // The present rate first: fetching it stores it, and it may be the highest.
  const now = await current(client, code, at)
  const since = new Date(at - dayMs).toISOString()
  const highest = await client.find(getHighestRate, { params: { assetCode: code }, query: { since } })
  return Math.max(now, highest?.rate ?? now)
}

export type UsdRates = ReturnType<typeof createUsdRates>

/**
 * USD rates by asset code, kept for a minute. Asks the quote service, at most once at a time for each code. A caller waits at most `patienceMs`; a later answer
 * serves the next caller.
 */
export function createUsdRates(
  { client, now: clock }: { client: Client; now: () => Date },
  { patienceMs = 3000, rate = current }: { patienceMs?: number; rate?: Ask } = {},
) {
  const now = () => clock().getTime()
  const entries = new Map<string, Entry>()
  const inTurn = limiter(callsAtOnce)

  function rateOf(code: string): Promise<number | null> {
    const known = entries.get(code)
    const at = now()
    // An entry stored by a clock that was ahead is not valid before its own time.
    if (known && at >= known.since && at < known.until) return known.rate
    const entry: Entry = {
      rate: inTurn(() => ask(code)),
      since: Number.NEGATIVE_INFINITY,
      until: Number.POSITIVE_INFINITY,
    }
    entries.set(code, entry)
    void entry.rate.then((rate) => {
      entry.since = now()
      entry.until = entry.since + (rate === null ? failureKeptMs : keptMs)
    })
    return entry.rate
  }

  const ask = (code: string): Promise<number | null> => rate(client, code, now()).catch(() => null)

  return {
    /** The rate of each code; null if it is not available in time. Never rejects. */
    async ratesOf(codes: readonly string[]): Promise<Map<string, number | null>> {
      const late = deadline(patienceMs)
      const rates = await Promise.all(codes.map((code) => Promise.race([rateOf(code), late.passed])))
      late.cancel()
      return new Map(codes.map((code, i) => [code, rates[i] ?? null]))
    },
  }
}

function deadline(ms: number) {
  let timer: Timer | undefined
  const passed = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null)
  })
  return { passed, cancel: () => clearTimeout(timer) }
}

/** Limits concurrency; waiting calls run in order of arrival. */
function limiter(width: number) {
  const waiting: (() => void)[] = []
  let running = 0
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running === width) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      // The next waiting call takes over the slot.
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
