import { type LocalServer, localServer } from '@bursar/testing'

/** What another service was asked to take over. */
export interface Taken {
  path: string
  key: string | null
  body: Record<string, unknown>
}

/** A service that takes what is handed over, or answers as it is told. */
export interface Peer {
  url: string
  taken: Taken[]
  /** The status that it refuses with from now on; 0 to take. */
  refuse(status: number, message?: string): void
  stop(): Promise<void>
}

/** `answerOf` makes the answer to what was taken. */
function peer(answerOf: (taken: Taken) => object): Peer {
  let refusal = { status: 0, message: '' }
  const taken: Taken[] = []
  const server: LocalServer = localServer(async (request) => {
    const { status, message } = refusal
    if (status > 0) return Response.json({ error: { code: 'REFUSED', message } }, { status })
    const key = request.headers.get('idempotency-key')
    const asked = { path: new URL(request.url).pathname, key, body: (await request.json()) as Taken['body'] }
    taken.push(asked)
    return Response.json(answerOf(asked))
  })
  return {
    url: server.url,
    taken,
    refuse(status, message = '') {
      refusal = { status, message }
    },
    stop: server.stop,
  }
}

/** Stands for the identity manager: invites users. */
export const identityManager = (): Peer =>
  peer(({ body }) => ({
    id: Bun.randomUUIDv7(),
    email: body.email,
    name: body.name,
    status: 'INVITED',
    roles: ['participant-admin'],
    participantId: body.participantId,
    custodianId: null,
    createdAt: new Date().toISOString(),
    updatedAt: new Date().toISOString(),
  }))

/** Stands for the participant service: admits participants. */
export const participantService = (): Peer => peer(({ path }) => ({ id: path.split('/').at(-1) }))
