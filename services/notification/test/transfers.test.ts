import { expect, test } from 'bun:test'
import { t } from '@bursar/contracts/schema'
import { webhookEvents } from '@bursar/contracts/webhook-events'
import { fieldProblems } from '@bursar/http'
import { openService, payer, receiver } from './harness'

interface DeliveryRequest {
  participantId: string
  eventType: string
  payload: { data: { transactionId: string } }
}

test('an event of a transfer goes to both participants, by poll and webhook; once if they are the same', async () => {
  const service = await openService()
  const between = await service.transaction({ type: 'TRANSFER', participantId: payer, toParticipantId: receiver })
  const within = await service.transaction({ type: 'TRANSFER', participantId: payer, toParticipantId: payer })
  const deposit = await service.transaction({ type: 'DEPOSIT', participantId: receiver })
  const polled = async (id: string) =>
    (await service.get('/events', await service.asParticipant(id))).body.data.map(
      ({ data }: { data: { transactionId: string } }) => data.transactionId,
    )
  expect(await polled(payer)).toEqual([between, within])
  expect(await polled(receiver)).toEqual([between, deposit])
  const deliveries = (await service.events()).map(({ data }) => data as DeliveryRequest)
  for (const { eventType, payload } of deliveries) {
    const body = webhookEvents.find(({ type }) => type === eventType)?.body ?? t.Never()
    expect(fieldProblems(body, payload)).toEqual([])
  }
  const sent = deliveries.map(({ participantId, payload }) => [participantId, payload.data.transactionId])
  expect(sent).toEqual([
    [payer, between],
    [receiver, between],
    [payer, within],
    [receiver, deposit],
  ])
})
