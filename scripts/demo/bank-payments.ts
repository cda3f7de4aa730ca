import { soon } from '../seed/platform'
import type { Caller } from './gateway'
import { admitInstitution } from './onboarding'
import { receiveWebhooks, type WebhookReceiver } from './webhook-receiver'
import type { Institution, World } from './world'

interface Payment {
  data: { id: string; status: string }
}
interface EventPage {
  data: { id: string; type: string; timestamp: string; data: { transactionId: string } }[]
}

/** What a payment's participants see of a transfer that goes through. */
const stations = ['payment.created', 'payment.accepted', 'transaction.status_updated', 'payment.executed']

/** A transfer between two banks' customers, polled as notifications and received as webhooks. */
export async function transferBetweenBanks(world: World, admin: Caller, payer: Institution): Promise<string> {
  const { say, run } = world
  const payeeId = await admitInstitution(world, admin, 'Hillside Bank', `desk-${run}@hillside.example`)
  const banks = await openBankAccounts(world, admin, payer.id, payeeId)
  const receiver = receiveWebhooks()
  try {
    await registerEndpoint(payer, receiver)
    const since = await newestEventTime(payer.program)
    const transfer = await payer.program.ask<Payment>('POST /transactions/v1/transfer', {
      body: { amount: '75.50', currency: 'USD', ...banks, description: 'Invoice 204', reference: `INV-${run}` },
      key: `demo-transfer-${run}`,
    })
    const { id } = transfer.data
    say('A transfer of 75.50 USD to Hillside Bank is ordered')
    const move = (path: string, status: string) =>
      admin.ask<Payment>(`PUT /transactions/v1/transfer/${id}${path}`, { body: { status } })
    await move('/review', 'APPROVED')
    await move('', 'PROCESSING')
    const { data } = await move('', 'COMPLETED')
    say(`It was approved, and carried out by the bank: ${data.status}`)
    await pollUntilExecuted(payer.program, since, id)
    say(`GET /events has told of it: ${stations.join(', ')}`)
    await soon('The webhooks of the transfer', async () => receiver.events.length >= stations.length || undefined)
    if (receiver.refused.length > 0) throw new Error(`A webhook could not be verified: ${receiver.refused[0]}`)
    say(`The same ${receiver.events.length} events have come as webhooks, their signatures verified`)
    return id
  } finally {
    await receiver.stop()
  }
}

/** Both participants have an account at a new custodian bank, the payer a credit line. */
async function openBankAccounts({ run, say }: World, admin: Caller, payerId: string, payeeId: string) {
  const bank = { name: `Summit Trust ${run}`, country: 'US', services: ['CUSTODY', 'SETTLEMENT'], status: 'ACTIVE' }
  const { id: custodianBankId } = await admin.ask<{ id: string }>('POST /main/v1/admin/custodian-bank', { body: bank })
  const add = async (participantId: string, accountNumber: string) => {
    const body = { accountNumber, routingNumber: '021000021', accountType: 'CHECKING', currency: 'USD', custodianBankId }
    return (await admin.ask<{ id: string }>(`POST /main/v1/participants/${participantId}/accounts`, { body })).id
  }
  const fromParticipantBankId = await add(payerId, `10${run}`)
  const toParticipantBankId = await add(payeeId, `20${run}`)
  await admin.ask(`PUT /main/v1/admin/pfi/${payerId}/credit-line`, { body: { currency: 'USD', limit: '250000' } })
  say('Both have a dollar account at the custodian Summit Trust, and Lakeside Payments a credit line of 250000 USD')
  return { fromParticipantBankId, toParticipantBankId }
}

async function registerEndpoint({ id, program }: Institution, receiver: WebhookReceiver): Promise<void> {
  const body = { participantId: id, url: receiver.url, eventTypes: stations }
  const { secret } = await program
    .ask<{ secret: string }>('POST /webhook/v1/webhooks/endpoints', { body })
    .catch((error: Error) => {
      throw new Error(`${error.message}\nThe demo receives webhooks on this machine: start the stack with OUTBOUND_ALLOW=127.0.0.1`)
    })
  receiver.trust(secret)
}

/** Where polling begins: after all that the participant has seen. */
async function newestEventTime(program: Caller): Promise<string> {
  let since = new Date(0).toISOString()
  for (;;) {
    const { data } = await program.ask<EventPage>(`GET /notification/v1/events?since=${since}&limit=100`)
    const last = data.at(-1)
    if (!last) return since
    since = last.timestamp
  }
}

/** Polls as a client does: each time from the last event that it has. Throws where the stations are not as they should be. */
async function pollUntilExecuted(program: Caller, from: string, transferId: string): Promise<void> {
  let since = from
  const seen: string[] = []
  await soon('The notification of the transfer', async () => {
    const { data } = await program.ask<EventPage>(`GET /notification/v1/events?since=${since}&limit=2`)
    since = data.at(-1)?.timestamp ?? since
    seen.push(...data.filter((event) => event.data.transactionId === transferId).map(({ type }) => type))
    return seen.length >= stations.length || undefined
  })
  if (seen.toSorted().join() !== stations.toSorted().join())
    throw new Error(`The notifications of the transfer are ${seen.join(', ')} and should be ${stations.join(', ')}`)
}
