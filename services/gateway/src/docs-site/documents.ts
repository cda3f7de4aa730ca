import { readCall } from '@bursar/contracts/call'
import { t } from '@bursar/contracts/schema'
import type { ServiceName } from '@bursar/contracts/services'
import { type Client, createSingleFlight, ifCallFails } from '@bursar/http'
import type { OpenApi } from './open-api'
import { behind } from './service-health'

/** A document changes only with a new version of its service. */
const keptMs = 60_000
const timeoutMs = 5000

/** The OpenAPI documents of the services, if reachable. One that has not changed is the same object. */
export function createDocuments(client: Client, now: () => number) {
  const kept = new Map<ServiceName, { at: number; document: OpenApi }>()
  const once = createSingleFlight<OpenApi | null>()

  /** Null when the service cannot be reached. */
  async function of(name: ServiceName): Promise<OpenApi | null> {
    const known = kept.get(name)
    if (known && Math.abs(now() - known.at) < keptMs) return known.document
    return await once(name, async () => {
      const asked = await ask(client, name)
      const document = known && (asked === null || Bun.deepEquals(asked, known.document)) ? known.document : asked
      if (asked && document) kept.set(name, { at: now(), document })
      return document
    })
  }
  return {
    of,
    async all(): Promise<{ name: ServiceName; document: OpenApi }[]> {
      const found = await Promise.all(behind.map(async (name) => ({ name, document: await of(name) })))
      return found.flatMap(({ name, document }) => (document ? [{ name, document }] : []))
    },
  }
}

async function ask(client: Client, name: ServiceName): Promise<OpenApi | null> {
  const call = readCall(name, 'GET', '/v1/swagger/json', t.Object({ paths: t.Object({}), components: t.Object({}) }))
  return (await ifCallFails(client.call(call, { timeoutMs }), () => null)) as OpenApi | null
}
