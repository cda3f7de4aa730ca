import { type LocalServer, localServer } from '@bursar/testing'
import { nobody } from '@bursar/testing/service'

/** A user of the identity manager, as its contract has it. */
export interface PeerUser {
  id: string
  email: string
  name: string
  status: string
  roles: string[]
  participantId: string | null
  custodianId: string | null
  createdAt: string
  updatedAt: string
}

/** Stand-ins, by their contracts, for the identity manager, the transaction manager and the sanctions service. */
export interface Peers {
  url: string
  server: LocalServer
  users: Map<string, PeerUser>
  creditLines: object[]
  /** What the sanctions service answers. */
  names: { list: { name: string; publishedAt: string }; listed: number; matches: object[] }
  /** Answers instead of the stand-ins; null ends it. */
  fault(answer: ((request: Request) => Response | undefined | Promise<Response | undefined>) | null): void
  /** The bodies that were sent to a path, oldest first. */
  sent(method: string, path: string): { body: unknown; headers: Headers; path: string }[]
}

export const roles = {
  operator: { id: '01900000-0000-7000-8000-00000000a001', name: 'operator', permissions: ['transactions:review'] },
  custodian: { id: '01900000-0000-7000-8000-00000000a002', name: 'custodian-user', permissions: ['balance:read'] },
}

/** An error in the shape of these services. */
export const refusal = (status: number, message = 'said no') =>
  Response.json({ error: { code: 'X', message } }, { status })

const at = '2026-01-01T00:00:00.000Z'
const missing = () => refusal(404, 'There is no such user')

export function startPeers(): Peers {
  const users = new Map<string, PeerUser>()
  const creditLines: object[] = []
  const names = { list: { name: 'OFAC SDN', publishedAt: '2024-09-27T00:00:00.000Z' }, listed: 1000, matches: [] }
  const remembered = new Map<string, PeerUser>()
  let fault: Parameters<Peers['fault']>[0] = null

  async function invite(request: Request): Promise<Response> {
    const key = request.headers.get('idempotency-key')
    const known = key === null ? undefined : remembered.get(key)
    if (known) return Response.json(known, { status: 201 })
    const { email, name, roleIds, participantId, custodianId } = (await request.json()) as PeerUser & {
      roleIds: string[]
    }
    if ([...users.values()].some((user) => user.email === email)) return refusal(409, `${email} is taken`)
    const role = Object.values(roles).find(({ id }) => id === roleIds[0])
    if (!role) return refusal(400, `There is no role ${roleIds[0]}`)
    const id = Bun.randomUUIDv7()
    const fields = { status: 'INVITED', roles: [role.name], createdAt: at, updatedAt: at }
    const user = { id, email, name, participantId, custodianId, ...fields }
    users.set(id, user)
    if (key !== null) remembered.set(key, user)
    return Response.json(user, { status: 201 })
  }

  async function ofUser(request: Request, id: string): Promise<Response> {
    const user = users.get(id)
    if (!user) return missing()
    if (request.method === 'GET') return Response.json(user)
    if (request.method === 'DELETE') {
      users.delete(id)
      return Response.json({ success: true, message: 'User deleted' })
    }
    const changed = { ...user, ...((await request.json()) as object) }
    users.set(id, changed)
    return Response.json(changed)
  }

  function pageOfUsers({ searchParams }: URL): Response {
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))]
    const custodianId = searchParams.get('custodianId')
    const all = [...users.values()].filter((user) => custodianId === null || user.custodianId === custodianId)
    return Response.json({ data: all.slice(offset, offset + limit), pageInfo: { limit, offset, total: all.length } })
  }

  async function setLine(request: Request, participantId: string): Promise<Response> {
    const { currency, limit, expiresAt = null } = (await request.json()) as Record<string, string>
    return Response.json({ participantId, currency, limit, used: '0', available: limit, expiresAt })
  }

  async function answer(request: Request): Promise<Response> {
    const url = new URL(request.url)
    const [, , resource, id = ''] = url.pathname.split('/')
    if (resource === 'users' && id !== '') return await ofUser(request, id)
    if (resource === 'users') return request.method === 'POST' ? await invite(request) : pageOfUsers(url)
    if (resource === 'roles') return Response.json(Object.values(roles))
    if (resource === 'names') return Response.json(names)
    if (resource === 'credit-lines' && request.method === 'PUT') return await setLine(request, id)
    if (resource === 'credit-lines') {
      const wanted = url.searchParams.get('participantIds')?.split(',') ?? []
      return Response.json(
        creditLines.filter((line) => wanted.includes((line as { participantId: string }).participantId)),
      )
    }
    return refusal(404)
  }

  const server = localServer(async (request) => (await fault?.(request)) ?? (await answer(request)))
  return {
    url: server.url,
    server,
    users,
    creditLines,
    names,
    fault: (next) => {
      fault = next
    },
    sent: (method, path) =>
      server.requests
        .filter((each) => each.method === method && each.path.startsWith(path))
        .map(({ body, headers, path }) => ({ body: body === '' ? null : JSON.parse(body), headers, path })),
  }
}

/** How a peer fails, and what becomes of that here. */
export const peerFailures: [string, () => Response | Promise<Response>, number, string][] = [
  ['502 when the other service fails', () => refusal(500), 502, 'UPSTREAM_ERROR'],
  ['502 when it breaks its contract', () => Response.json({ nothing: nobody }), 502, 'UPSTREAM_ERROR'],
  ['503 when it answers that it is not available', () => refusal(503), 503, 'SERVICE_UNAVAILABLE'],
  ['504 when it does not answer in time', () => new Promise<Response>(() => {}), 504, 'UPSTREAM_TIMEOUT'],
]
