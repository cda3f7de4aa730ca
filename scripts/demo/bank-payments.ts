import { soon } from '../seed/platform'
import type { Caller } from './gateway'
import { admitInstitution } from './onboarding'
import type { WebhookReceiver } from './webhook-receiver'
import type { Institution, World } from './world'

interface Payment {
  data: { id: string; status: string }
}
interface Event {
  id: string
  type: string
  timestamp: string
  data: { transactionId: string }
}
interface EventPage {
  data: Event[]
}

/** What a payment's participants see of a transfer that goes through. */
const stations = ['payment.created', 'payment.accepted', 'transaction.status_updated', 'payment.executed']

/** Before anything is made: throws when the stack sends no webhooks to this machine. */
export async function requireReceiver(admin: Caller, { url }: WebhookReceiver): Promise<void> {
  // Of no institution, and taken back: it is the address that the service judges.
  const body = { participantId: crypto.randomUUID(), url, eventTypes: stations }
  const { id } = await admin
    .ask<{ id: string }>('POST /webhook/v1/webhooks/endpoints', { body })
    .catch((error: Error) => {
      const hint = 'The demo receives webhooks on this machine: start the stack with OUTBOUND_ALLOW=127.0.0.1'
      throw new Error(`${error.message}\n${hint}`)
    })
  await admin.ask(`DELETE /webhook/v1/webhooks/endpoints/${id}`)
}

/** A server of the institution takes the events of its payments, signed. */
export async function registerEndpoint({ say }: World, { id, program }: Institution, receiver: WebhookReceiver) {
  const body = { participantId: id, url: receiver.url, eventTypes: stations }
  const { secret } = await program.ask<{ secret: string }>('POST /webhook/v1/webhooks/endpoints', { body })
  receiver.trust(secret)
  say(`Its server at ${receiver.url} is registered for webhooks of payments`)
}

/** A transfer between two banks, polled as notifications and received as webhooks. */
export async function transferBetweenBanks(world: World, admin: Caller, payer: Institution, receiver: WebhookReceiver) {
  const { say, run } = world
  const payeeId = await admitInstitution(world, admin, 'Hillside Bank', `desk-${run}@hillside.example`)
  const banks = await openBankAccounts(world, admin, payer.id, payeeId)
  const since = (await allEvents(payer.program)).at(-1)?.timestamp ?? new Date(0).toISOString()
  const ordered = await payer.program.ask<Payment>('POST /transactions/v1/transfer', {
    body: { amount: '75.50', currency: 'USD', ...banks, description: 'Invoice 204', reference: `INV-${run}` },
    key: `demo-transfer-${run}`,
  })
  const { id } = ordered.data
  say('A transfer of 75.50 USD to Hillside Bank is ordered')
  const move = (path: string, status: string) =>
    admin.ask<Payment>(`PUT /transactions/v1/transfer/${id}${path}`, { body: { status } })
  await move('/review', 'APPROVED')
  await move('', 'PROCESSING')
  const { data } = await move('', 'COMPLETED')
  say(`It was approved, and carried out by the bank: ${data.status}`)
  const polled = await pollUntilExecuted(payer.program, since, id)
  say(`GET /events shows it: ${polled.map(({ type }) => type).join(', ')}`)
  await compareWebhooks(world, receiver, await allEvents(payer.program))
  return id
}

/** Both participants have an account at a new custodian bank, the payer a credit line. */
async function openBankAccounts({ run, say }: World, admin: Caller, payerId: string, payeeId: string) {
  const bank = { name: `Summit Trust ${run}`, country: 'US', services: ['CUSTODY', 'SETTLEMENT'], status: 'ACTIVE' }
  const { id: custodianBankId } = await admin.ask<{ id: string }>('POST /main/v1/admin/custodian-bank', { body: bank })
  const add = async (participantId: string, accountNumber: string) => {
    const body = {
      accountNumber,
      routingNumber: '021000021',
      accountType: 'CHECKING',
      currency: 'USD',
      custodianBankId,
    }
    return (await admin.ask<{ id: string }>(`POST /main/v1/participants/${participantId}/accounts`, { body })).id
  }
  const fromParticipantBankId = await add(payerId, `10${run}`)
  const toParticipantBankId = await add(payeeId, `20${run}`)
  await admin.ask(`PUT /main/v1/admin/pfi/${payerId}/credit-line`, { body: { currency: 'USD', limit: '250000' } })
  say('Both have a dollar account at the custodian Summit Trust, and Lakeside Payments a credit line of 250000 USD')
  return { fromParticipantBankId, toParticipantBankId }
}

/** All events of the participant, polled to the last one. */
async function allEvents(program: Caller): Promise<Event[]> {
  const events: Event[] = []
  for (;;) {
    const since = events.at(-1)?.timestamp ?? new Date(0).toISOString()
    const { data } = await program.ask<EventPage>(`GET /notification/v1/events?since=${since}&limit=100`)
    if (data.length === 0) return events
    events.push(...data)
  }
}

/** Polls as a client does: each time from the last event that it has. Throws where the stations are not as they should be. */
async function pollUntilExecuted(program: Caller, from: string, transferId: string): Promise<Event[]> {
  let since = from
  const seen: Event[] = []
  await soon('The notification of the transfer', async () => {
    const { data } = await program.ask<EventPage>(`GET /notification/v1/events?since=${since}&limit=2`)
    since = data.at(-1)?.timestamp ?? since
    seen.push(...data.filter((event) => event.data.transactionId === transferId))
    return seen.length >= stations.length || undefined
  })
  const types = seen.map(({ type }) => type)
  if (types.toSorted().join() === stations.toSorted().join()) return seen
  throw new Error(`The notifications of the transfer are ${types.join(', ')} and should be ${stations.join(', ')}`)
}

/** What comes as webhooks is what was polled, in whatever order. */
async function compareWebhooks({ say }: World, { events, refused }: WebhookReceiver, polled: Event[]): Promise<void> {
  await soon('All webhooks', async () => events.length >= polled.length || undefined)
  if (refused.length > 0) throw new Error(`A webhook was refused: ${refused[0]}`)
  const ids = (list: { id: string }[]) => JSON.stringify(list.map(({ id }) => id).toSorted())
  if (ids(events) !== ids(polled)) throw new Error(`The webhooks were ${ids(events)} and not ${ids(polled)}`)
  say(`All ${polled.length} events so far, also those of the withdrawal, have come as webhooks with right signatures`)
}
