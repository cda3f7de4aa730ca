import type { Target } from '../front/target'

/** Lists without pages, also within a record, and sums: an answer may need all records (decisions, Gateway). */
const wholeLists: Partial<Record<Target['service'], RegExp>> = {
  'main-api': /^\/(custodian-bank\/(balance|credit-line)|participants\/counter-parties)$/,
  'core-ledger': /^\/(transactions|assets)$/,
  account: /^\/accounts$/,
  customer: /^\/customers$/,
  participant: /^\/participants(\/[^/]+)?$/,
  wallet: /^\/wallets$/,
  message: /^\/messages$/,
  webhook: /^\/webhooks\/delivery\/pending-retries$/,
}

/** All rows of a list as one answer. */
const exports = /\/export$/

/** Parameters of text searches. */
const searches = ['q', 'search']

/** Offsets from here on are expensive, since all skipped rows are read. */
const deepOffset = 10_000

/**
 * Whether a request may be expensive: a list without pages, a sum, an export, a search, or a deep page. HEAD
 * costs what GET does.
 */
export function isHeavy({ service, path, query }: Target, method: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  if (wholeLists[service]?.test(path) || exports.test(path)) return true
  if (query.length < 2) return false
  const asked = new URLSearchParams(query)
  return offsetOf(asked) >= deepOffset || searches.some((name) => asked.getAll(name).some((text) => text !== ''))
}

const offsetOf = (asked: URLSearchParams): number =>
  Math.max(Number(asked.get('offset')) || 0, (Number(asked.get('page')) || 0) * 20)

/** Streams: answers that last as long as their reader stays. */
export const isStream = ({ service, path }: Target): boolean =>
  service === 'log-tracker' && path === '/log-messages/stream'
