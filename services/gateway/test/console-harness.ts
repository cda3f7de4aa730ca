import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RoleName } from '@bursar/contracts/identity-manager'
import { createIdentity, type Environment, identityHeader, openInternalSecret } from '@bursar/http'
import { openStore } from '@bursar/store'
import { type LocalServer, localServer, until } from '@bursar/testing'
import { type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { placeOn } from '@bursar/testing/service'
import { noteVerified } from '../src/console-sessions/console-sessions'
import { migrations } from '../src/service'
import { echo, mainPeer, participantPeer } from './peers'

/** The first administrator of the test's identity manager. */
export const admin = { email: 'admin@bursar.example', password: 'seven grey herons at dawn' }

/** What the scripts of the console's own pages send with every request. */
export const ownPage = { 'sec-fetch-site': 'same-origin', 'x-console': '1' }

export interface Asked {
  method?: string
  /** Sent as JSON. */
  body?: unknown
  cookie?: string | null
  headers?: Record<string, string | null>
}

/** An answer, its body read. */
export interface Told {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came
  body: any
  /** `name=value` of the cookie that it sets; null for none. */
  cookie: string | null
}

let members = 0

export type TestConsole = Awaited<ReturnType<typeof openConsole>>

/** The gateway and the real identity manager; the other services are stood in for by what says what it was sent. */
export async function openConsole(env: Environment = {}) {
  const streams: { end(): void; isOpen: boolean }[] = []
  const core = localServer(echo)
  const tracker = localServer((request) =>
    new URL(request.url).pathname.endsWith('/stream') ? streaming(request, streams) : echo(request),
  )
  const [main, participant] = [mainPeer(), participantPeer()]
  const peers: LocalServer[] = [core, tracker, main.server, participant.server]
  const platform: TestPlatform = await testPlatform(['gateway', 'identity-manager'], {
    CORE_URL: core.url,
    TRACKER_URL: tracker.url,
    MAIN_URL: main.server.url,
    PARTICIPANT_URL: participant.server.url,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_LOGIN: '1000000',
    RATE_LIMIT_FAILURES: '1000000',
    ...env,
  })
  const url = platform.url('gateway')

  async function ask(path: string, { method, body, cookie, headers = {} }: Asked = {}): Promise<Told> {
    const given = {
      ...ownPage,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(cookie ? { cookie } : {}),
      ...headers,
    }
    const sent = Object.entries(given).filter((entry): entry is [string, string] => entry[1] !== null)
    const answer = await fetch(`${url}/console/api${path}`, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: sent,
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    const text = await answer.text()
    return {
      status: answer.status,
      headers: answer.headers,
      text,
      body: asJson(text),
      cookie: /^([^;]*)/.exec(answer.headers.get('set-cookie') ?? '')?.[1] || null,
    }
  }

  return {
    platform,
    url,
    core,
    streams,
    ask,
    /** A user of the identity manager that has set its password. */
    async member(fields: { role: RoleName; participantId?: string }) {
      const user = { email: `member-${++members}@bank.example`, password: 'twelve brass lanterns' }
      const identity = platform.url('identity-manager')
      const secret = openInternalSecret(platform.dataDir, undefined)
      const main = { kind: 'service', subject: 'main-api', participantId: null, roles: [] } as const
      const headers = {
        'content-type': 'application/json',
        [identityHeader]: await createIdentity('main-api', secret, () => new Date()).sign(main, 'identity-manager'),
      }
      const { role, participantId = null } = fields
      const body = { email: user.email, name: 'Member', roleNames: [role], participantId, custodianId: null }
      const invite = { method: 'POST', headers, body: JSON.stringify(body) }
      const { id } = (await (await fetch(`${identity}/internal/users`, invite)).json()) as { id: string }
      const token = await tokenMailedTo(join(platform.dataDir, 'mail'), user.email)
      const password = { method: 'POST', headers, body: JSON.stringify({ password: user.password }) }
      const set = await fetch(`${identity}/v1/auth/change-password/${token}`, password)
      if (!set.ok) throw new Error(await set.text())
      return { ...user, id }
    },
    /** Logs in, and gives the cookie. */
    async logIn(user: { email: string; password: string } = admin): Promise<string> {
      const answer = await ask('/session', { body: { email: user.email, password: user.password } })
      if (answer.status !== 200 || !answer.cookie) throw new Error(`Cannot log in: ${answer.status} ${answer.text}`)
      return answer.cookie
    },
    main,
    async close() {
      await platform.close()
      await Promise.all(peers.map((peer) => peer.stop()))
    },
  }
}

/** Has a session shown its second factor five minutes ago, or as many as are given: less than none by a clock that was ahead. */
export async function age({ platform }: Pick<TestConsole, 'platform'>, cookie: string, minutes = 5): Promise<void> {
  await platform.stop('gateway')
  const store = await openStore({ service: 'gateway', ...placeOn(platform.kept('gateway')), migrations })
  const id = new Bun.CryptoHasher('sha256').update(cookie.split('=')[1] ?? '').digest('base64url')
  await store.commit((tx) => noteVerified(tx).execute({ id, verifiedAt: new Date(Date.now() - minutes * 60_000) }))
  await store.close()
  await platform.start('gateway')
}

/** The token of the mail to an address, once that was sent. */
async function tokenMailedTo(folder: string, email: string): Promise<string> {
  let token: string | undefined
  await until(() => {
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : []
    const mails = names.map((name) => readFileSync(join(folder, name), 'utf8'))
    const mail = mails.find((text) => text.includes(`\r\nTo: ${email}\r\n`)) ?? ''
    token = /password#([\w-]{20,})/.exec(mail)?.[1]
    return token !== undefined
  })
  return token ?? ''
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** An event stream that goes on until its reader leaves. */
function streaming(request: Request, streams: { end(): void; isOpen: boolean }[]): Response {
  let timer: Timer | undefined
  const stream = { isOpen: true, end: () => clearInterval(timer) }
  streams.push(stream)
  const over = () => {
    stream.isOpen = false
    stream.end()
  }
  request.signal.addEventListener('abort', over)
  const body = new ReadableStream({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(': open\n\n'))
      timer = setInterval(() => controller.enqueue(new TextEncoder().encode('data: {}\n\n')), 50)
    },
    cancel: over,
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } })
}
