import type { LogEntry } from '@bursar/contracts/log-entry'
import { LogRecorded } from '@bursar/contracts/log-tracker'
import { emitAwaited, type Relay, type Store, type Tx } from '@bursar/store'
import { fail } from '../errors'

/**
 * Sends a sample VALUATION_PROCESSED message through the queue, like every log message (spec 3, Events 2). `toAnswer`
 * runs in its commit; its result is returned once the broker has the message. Throws SERVICE_UNAVAILABLE when the
 * broker refuses it or does not answer within 2 s; the message is then deleted.
 */
export async function addTestMessage<A>(
  { store, relay, now }: { store: Store; relay: Pick<Relay, 'deliver'>; now: () => Date },
  requestId: string,
  toAnswer: (tx: Tx, entry: LogEntry) => Promise<A>,
): Promise<A> {
  const { event, answer } = await store.commit(async (tx) => {
    const at = now()
    const entry = sampleEntry(requestId, at)
    const event = await emitAwaited(tx, LogRecorded, entry, at)
    return { event, answer: await toAnswer(tx, entry) }
  })
  await relay.deliver(event).catch((cause: unknown) => {
    throw fail('SERVICE_UNAVAILABLE', { cause })
  })
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
