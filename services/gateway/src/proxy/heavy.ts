import type { Target } from '../routing/target'

/** Lists that have no pages: each answer may be all that there is (decisions, Gateway). */
const wholeLists: Partial<Record<Target['service'], RegExp>> = {
  'core-ledger': /^\/(transactions|assets)$/,
  account: /^\/accounts$/,
  customer: /^\/customers$/,
  message: /^\/messages$/,
  webhook: /^\/webhooks\/delivery\/pending-retries$/,
}

/** Pages from here on are read past all the rows before them. */
const deepOffset = 10_000

/** Whether a request may cost its service much: a list without pages, or a page far down one. HEAD costs what GET does. */
export function isHeavy({ service, path, query }: Target, method: string): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false
  return wholeLists[service]?.test(path) === true || (query.length > 'offset='.length && offsetOf(query) >= deepOffset)
}

function offsetOf(query: string): number {
  if (!query.includes('offset') && !query.includes('page')) return 0
  const asked = new URLSearchParams(query)
  return Math.max(Number(asked.get('offset')) || 0, (Number(asked.get('page')) || 0) * 20)
}

/** Answers that go on as long as their reader stays. */
export const isStream = ({ service, path }: Target): boolean =>
  service === 'log-tracker' && path === '/log-messages/stream'
