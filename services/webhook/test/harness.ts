import { afterAll } from 'bun:test'
import type { ServiceName } from '@bursar/contracts/services'
import { type DeliveryRequest, DeliveryRequested } from '@bursar/contracts/webhook'
import type { WorkLoop } from '@bursar/store'
import { type LocalServer, localServer, tempDir, until } from '@bursar/testing'
import { refusedAs, type TestService, testService } from '@bursar/testing/service'
import { config } from '../src/config'
import type { WebhookDeps } from '../src/deps'
import { startDelivering } from '../src/sending/delivering'
import { definition } from '../src/service'

export interface Webhooks extends TestService<WebhookDeps> {
  dataDir: string
  /** Sends what is due, as the running service does. */
  deliver(): WorkLoop
  /** Hands over an event that asks for a delivery; its requestId. */
  request(fields?: Partial<DeliveryRequest>): Promise<string>
  /** What GET /webhooks/delivery/status/:requestId says. */
  status(requestId: string): Promise<Record<string, unknown>>
  /** Waits until the delivery has this status, and is that. */
  reached(requestId: string, status: string): Promise<Record<string, unknown>>
  /** Registers an endpoint; with its secret. */
  endpoint(url: string, fields?: object): Promise<{ id: string; secret: string }>
  attempts(requestId: string): Promise<Record<string, unknown>[]>
}

interface Options {
  env?: Record<string, string>
  now?: () => Date
  dataDir?: string
  /** Where its peers answer; those that are not named cannot be reached. */
  urls?: Partial<Record<ServiceName, string>>
}

/** The participant whose endpoints the tests are about. */
export const participantId = '018f2f3e-0000-7000-8000-0000000000aa'

const open: { close(): Promise<void> }[] = []
const servers: LocalServer[] = []
afterAll(async () => {
  for (const each of open.splice(0)) await each.close()
  for (const server of servers.splice(0)) await server.stop()
})

/** The real app with its own database; receivers on this machine are allowed. Closed after the file's tests. */
export async function testWebhooks({ env = {}, now, dataDir = tempDir(), urls }: Options = {}): Promise<Webhooks> {
  const settings = config({ DATA_DIR: dataDir, OUTBOUND_ALLOW: '127.0.0.1', ...env })
  const service = await testService({ name: 'webhook', dataDir, definition: definition(settings, { now }), urls })
  const workers: WorkLoop[] = []
  const status = async (requestId: string) => (await service.get(`/webhooks/delivery/status/${requestId}`)).body
  const all: Webhooks = {
    ...service,
    dataDir,
    deliver() {
      const worker = startDelivering(service.deps)
      workers.push(worker)
      return worker
    },
    async request(fields = {}) {
      const { data, ...envelope } = requested(fields)
      await service.consume({ ...envelope, data })
      return data.requestId
    },
    status,
    reached: (requestId, wanted) =>
      until(
        async () => {
          const found = await status(requestId)
          return found.status === wanted && found
        },
        { what: `${requestId} to be ${wanted}` },
      ),
    endpoint: (url, fields = {}) => service.create('/webhooks/endpoints', { participantId, url, ...fields }),
    async attempts(requestId) {
      const { deliveryId } = await status(requestId)
      return (await service.get(`/webhooks/delivery/${deliveryId}/attempts`)).body
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.stop()))
      await service.close()
    },
  }
  open.push(all)
  return all
}

/** An event as the bus hands it over. */
export function requested(fields: Partial<DeliveryRequest> = {}) {
  const id = Bun.randomUUIDv7()
  const data: DeliveryRequest = {
    v: 1,
    requestId: Bun.randomUUIDv7(),
    eventType: 'message.created',
    participantId,
    fallbackUrl: null,
    headers: null,
    payload: { type: 'message.created', timestamp: '2026-01-31T12:00:00.000Z', data: { text: 'Grüße' } },
    ...fields,
  }
  const { name, type } = DeliveryRequested
  return { id, name, type, timestamp: new Date().toISOString(), requestId: null, service: 'message', data }
}

/** Somebody's server on this machine. Stopped after the file's tests. */
export function receiver(answer: (request: Request) => Response | Promise<Response> = () => new Response('ok')) {
  const server = localServer(answer)
  servers.push(server)
  return server
}

/** An answer that never comes. */
export const never = () => new Promise<Response>(() => {})

/** The messages of an error response; checks the rest of its body (spec 3, Errors, second shape). */
const refusal = refusedAs('list')
export const refused = (answer: Parameters<typeof refusal>[0], status: number): string[] =>
  refusal(answer, status).message
