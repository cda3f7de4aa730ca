// The whole platform behind the gateway, seeded, and a request for every operation of every OpenAPI document.
import { accessTokenAudience, accessTokenIssuer } from '@bursar/contracts/identity-manager'
import { type ServiceName, services } from '@bursar/contracts/services'
import { localServer, until } from '@bursar/testing'
import { builtServices, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { type SeededIds, seed, withSeededIds } from '../../scripts/seed/seed'

export interface Parameter {
  name: string
  in: string
  example?: unknown
  schema?: { type?: string; format?: string }
}
interface Operation {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, { example?: unknown; examples?: Record<string, { value: unknown }> }> }
  responses: Record<string, { content?: object }>
  'x-needs-secret'?: boolean
}
interface Document {
  paths: Record<string, Record<string, Operation>>
  components: { parameters?: Record<string, Parameter> }
}

/** A request for an operation. */
export interface Asked {
  service: ServiceName
  method: string
  /** As the document has it. */
  route: string
  /** Filled in, as the gateway has it. */
  path: string
  body: unknown
  /** Of the body; empty for none. */
  headers: Record<string, string>
  parameters: readonly Parameter[]
  /** That the document has. */
  statuses: readonly number[]
  /** The API key of the examples, where the operation is for a participant. */
  apiKey: string | undefined
  needsSecret: boolean
}

export interface Answered {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  body: any
  /** The body as text. */
  text: string
}

/** Claims of an access token; a user without participant or custodian bank unless given. */
interface Claims {
  subject?: string
  roles?: string[]
  participantId?: string | null
  custodianId?: string | null
  /** As jose reads it: `15m`, `-1m`. */
  lasts?: string
}

export interface ThroughGateway {
  platform: TestPlatform
  ids: SeededIds
  /** The services behind the gateway. */
  behind: readonly ServiceName[]
  /** The header of a user that a test makes up. */
  bearer(claims: Claims): Promise<string>
  /** One for each operation, with the present ids of the seeded data. */
  operations(): Promise<Asked[]>
  send(asked: Pick<Asked, 'method' | 'path' | 'body' | 'headers'>, headers: Record<string, string>): Promise<Answered>
  close(): Promise<void>
}

const plenty = { RATE_LIMIT_PER_SECOND: '100000', RATE_LIMIT_LOGIN: '100000', RATE_LIMIT_FAILURES: '100000' }

export async function throughGateway(env: Record<string, string>): Promise<ThroughGateway> {
  const behind = builtServices().filter((name) => name !== 'gateway')
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true })
  const jwk = { ...(await exportJWK(publicKey)), kid: 'test', alg: 'EdDSA', use: 'sig' }
  /** The real identity manager, with one more key, by which a test signs tokens for anybody. */
  const identity = await localServer(async (request) => {
    const { pathname, search } = new URL(request.url)
    const answer = await fetch(platform.url('identity-manager') + pathname + search, request)
    if (pathname !== '/v1/.well-known/jwks.json') return answer
    const { keys } = (await answer.json()) as { keys: object[] }
    return Response.json({ keys: [...keys, jwk] })
  })
  const platform = await testPlatform(['gateway', ...behind], {
    IDENTITY_URL: identity.url,
    ...plenty,
    ...env,
  })
  const urls = Object.fromEntries(behind.map((name) => [name, platform.url(name)])) as Record<ServiceName, string>
  const ids = { ...(await seed({ urls, say: () => {} })) }
  return {
    platform,
    ids,
    behind,
    bearer: async ({ subject = Bun.randomUUIDv7(), lasts = '15m', ...claims }) => {
      const none = { participantId: null, custodianId: null, roles: [] }
      const token = await new SignJWT({ sid: Bun.randomUUIDv7(), ...none, ...claims })
        .setProtectedHeader({ alg: 'EdDSA', kid: 'test' })
        .setSubject(subject)
        .setIssuer(accessTokenIssuer)
        .setAudience(accessTokenAudience)
        .setIssuedAt()
        .setExpirationTime(lasts)
        .sign(privateKey)
      return `Bearer ${token}`
    },
    operations: async () => (await Promise.all(behind.map((name) => operationsOf(platform, name, ids)))).flat(),
    async send({ method, path, body, headers }, more) {
      const answer = await platform.to('gateway', '').ask(method, path, body, { ...headers, ...more })
      return { ...answer, text: JSON.stringify(answer.body) ?? '' }
    },
    async close() {
      await platform.close()
      await identity.stop()
    },
  }
}

async function operationsOf(platform: TestPlatform, service: ServiceName, ids: SeededIds): Promise<Asked[]> {
  const text = await (await fetch(`${platform.url(service)}/v1/swagger/json`)).text()
  const { paths, components } = JSON.parse(withSeededIds(text, ids)) as Document
  return Object.entries(paths).flatMap(([route, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if ('text/event-stream' in (operation.responses[200]?.content ?? {})) return []
      const parameters = (operation.parameters ?? []).map((each) =>
        '$ref' in each ? (components.parameters?.[each.$ref.split('/').at(-1) ?? ''] as Parameter) : each,
      )
      return bodiesOf(operation).map(({ body, headers }) => ({
        service,
        method: method.toUpperCase(),
        route,
        path: pathOf({ service, route, parameters }),
        body,
        headers,
        parameters,
        statuses: Object.keys(operation.responses).map(Number),
        apiKey: parameters.find(({ name }) => name === 'X-API-KEY')?.example as string | undefined,
        needsSecret: operation['x-needs-secret'] === true,
      }))
    }),
  )
}

/** The examples of the body, of a type that is no form. */
function bodiesOf({ requestBody }: Operation): Pick<Asked, 'body' | 'headers'>[] {
  const contents = Object.entries(requestBody?.content ?? {})
  const [type, media] = contents.find(([each]) => !each.startsWith('multipart/')) ?? []
  if (type === undefined) return [{ body: undefined, headers: {} }]
  const bodies = media?.examples ? Object.values(media.examples).map(({ value }) => value) : [media?.example]
  return bodies.map((body) => ({ body, headers: { 'content-type': type } }))
}

/** A path with the given values or the examples of its parameters; others stay in braces. */
export function pathOf(
  { service, route, parameters }: Pick<Asked, 'service' | 'route' | 'parameters'>,
  given: Readonly<Record<string, string>> = {},
): string {
  const textOf = ({ name, example }: Parameter) => given[name] ?? (example === undefined ? undefined : `${example}`)
  const filledRoute = parameters.reduce((path, parameter) => {
    const value = parameter.in === 'path' ? textOf(parameter) : undefined
    return value === undefined ? path : path.replace(`{${parameter.name}}`, encodeURIComponent(value))
  }, route)
  const inQuery = parameters.flatMap((parameter): [string, string][] => {
    const value = parameter.in === 'query' ? textOf(parameter) : undefined
    return value === undefined ? [] : [[parameter.name, value]]
  })
  const query = new URLSearchParams(inQuery).toString()
  const path = pathTo(service, filledRoute)
  return query ? `${path}?${query}` : path
}

/** The gateway's document, once each service has given it its own in time: on a busy machine that may be late. */
export const wholeDocument = <T extends { paths: object }>(gateway: string): Promise<T> =>
  until(
    async () => {
      const document = (await (await fetch(`${gateway}/openapi.json`)).json()) as T
      const paths = Object.keys(document.paths)
      const isThere = (name: ServiceName) => paths.some((path) => path.startsWith(`/${services[name].slug}/v1/`))
      return builtServices().every((name) => name === 'gateway' || isThere(name)) ? document : null
    },
    { what: 'the documents of all services' },
  ).then((document) => document as T)

/** Where the gateway has a service's path. */
export const pathTo = (service: ServiceName, path: string): string =>
  path.startsWith('/api/v1/') ? path : `/${services[service].slug}/v1${path}`
