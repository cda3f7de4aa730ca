import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { emit, NotDeliveredError, type Relay, type Store, unemit } from '@bursar/store'
import { fail } from '../errors'
import type { TestMessageAdded } from './log-messages.model'

const deliveryTimeoutMs = 2000

/**
 * Sends a sample VALUATION_PROCESSED message the way every log message comes: through the queue (spec 3, Events 2).
 * Throws SERVICE_UNAVAILABLE when the broker refuses it or gives no answer in 2 s; it is taken back then.
 */
export async function addTestMessage(
  store: Store,
  relay: Pick<Relay, 'delivered' | 'withdraw'>,
  requestId: string,
  now = new Date(),
): Promise<TestMessageAdded> {
  const entry = sampleEntry(requestId, now)
  const answer = { message: 'The test log message was handed to the message queue', test_data: entry }
  let eventId = ''
  await store.commit(async (tx) => {
    const envelope = await emit(tx, LogRecorded, entry, now)
    eventId = envelope.id
    return answer
  })
  try {
    await relay.delivered(eventId, deliveryTimeoutMs)
  } catch (cause) {
    if (!(cause instanceof NotDeliveredError)) throw cause
    relay.withdraw(eventId)
    await store.commit((tx) => unemit(tx, eventId))
    throw fail('SERVICE_UNAVAILABLE', { cause })
  }
  return answer
}

const sampleEntry = (requestId: string, now: Date): LogEntry => ({
  service: 'log-tracker',
  request_id: requestId,
  event_type: 'VALUATION_PROCESSED',
  status: 'SUCCESS',
  timestamp: now.toISOString(),
  metadata: { asset_code: 'BTC', currency: 'USD', rate: 50_000, is_static: false, is_test: true },
})
