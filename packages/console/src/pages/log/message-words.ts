import { groupDigits } from '../../format/amount'
import { shorten, toWords } from '../../format/words'
import type { LogMessage } from './log-query'

/** The text of a message beside its event: `review rejected`, `30 USDC · Source of funds not shown`. */
export interface MessageWords {
  event: string
  /** The step, if the event has several; else empty. */
  action: string
  detail: string
}

const told = new Set([
  'action',
  'amount',
  'asset_code',
  'currency',
  'rate',
  'detail',
  'reason',
  'type',
  'transaction_status',
])

/** A message in words: its amount or rate and its reason, else its first facts. */
export function wordsOf({ event_type: type, metadata }: LogMessage): MessageWords {
  const text = (name: string): string => {
    const value = metadata[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  }
  const unit = text('asset_code') || text('currency')
  const amount = text('rate')
    ? `${text('asset_code')} ${text('rate')} ${text('currency')}`
    : `${groupDigits(text('amount'))} ${unit}`
  const known = [amount.trim(), text('detail') || text('reason')].filter((part) => part !== '')
  const action = toWords(text('action') || text('wallet_status') || text('payment_status')).toLowerCase()
  return {
    // The action is more specific than `created` and `completed`.
    event: action === '' ? toWords(type) : toWords(type.replace(/_(CREATED|COMPLETED|FAILED|CANCELLED)$/, '')),
    action,
    detail: (known.length > 0 ? known : otherFacts(metadata)).join(' · '),
  }
}

/** Ids are shortened: `account 01a1f2eb…e456`. */
function otherFacts(metadata: LogMessage['metadata']): string[] {
  return Object.entries(metadata)
    .filter(
      ([name, value]) => !told.has(name) && (typeof value === 'string' || typeof value === 'number') && value !== '',
    )
    .slice(0, 3)
    .map(
      ([name, value]) => `${toWords(name.replace(/_id$/, '')).toLowerCase()} ${isLong(value) ? shorten(value) : value}`,
    )
}

const isLong = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 24 && !value.includes(' ')
