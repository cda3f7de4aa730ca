import type { ServiceName } from '@bursar/contracts/services'
import {
  type Caller,
  createIdentity,
  type Environment,
  identityHeader,
  openInternalSecret,
  type RunningService,
} from '@bursar/http'
import { type LocalServer, tempDir } from '@bursar/testing'
import { startBuilt, type TestPlatform, testPlatform } from '@bursar/testing/platform'
import { type Requests, refusedAs, requestsTo } from '@bursar/testing/service'
import {
  echoPeer,
  identityPeer,
  mainPeer,
  participantPeer,
  type SigningKey,
  signingKey,
  type TokenOptions,
  tokenOf,
} from './peers'

/** The error of an answer of the gateway's own, after a look at the rest of its body (spec 3, Errors). */
export const refused = refusedAs('object')

export type TestGateway = Awaited<ReturnType<typeof openGateway>>

/** High enough to be in nobody's way. */
const noLimits = { RATE_LIMIT_PER_SECOND: '1000000', RATE_LIMIT_LOGIN: '1000000', RATE_LIMIT_FAILURES: '1000000' }

/** The gateway as it runs, between a Redis of its own and peers that stand in for the services. */
export async function openGateway(env: Environment = {}) {
  const key: SigningKey = await signingKey('key-1')
  const identity = identityPeer([key])
  const main = mainPeer()
  const participant = participantPeer()
  const quote = echoPeer()
  const core = echoPeer()
  const tracker = echoPeer()
  const peers: LocalServer[] = [identity.server, main.server, participant.server, quote, core, tracker]
  const platform: TestPlatform = await testPlatform(['gateway'], {
    IDENTITY_URL: identity.server.url,
    MAIN_URL: main.server.url,
    PARTICIPANT_URL: participant.server.url,
    QUOTE_URL: quote.url,
    CORE_URL: core.url,
    TRACKER_URL: tracker.url,
    ...noLimits,
    ...env,
  })
  const secret = openInternalSecret(platform.dataDir, undefined)
  const others: RunningService[] = []
  return {
    ...requestsOf(platform.url('gateway')),
    platform,
    url: platform.url('gateway'),
    key,
    identity,
    main,
    participant,
    quote,
    core,
    tracker,
    /** An Authorization header of a user. */
    async user(options: TokenOptions = {}): Promise<{ authorization: string }> {
      return { authorization: `Bearer ${await tokenOf(key, options)}` }
    },
    /** The caller that the header which a service was sent proves to it. */
    callerIn: (headers: Record<string, string>, audience: ServiceName): Promise<Caller | null> =>
      createIdentity(audience, secret, () => new Date()).read(
        new Request('http://localhost/', { headers: { [identityHeader]: headers[identityHeader] ?? '' } }),
      ),
    /** Another gateway of the deployment: on another machine, with the same Redis and secret. */
    async another(more: Environment = {}): Promise<Requests & { url: string }> {
      const env = {
        ...platform.env,
        ...more,
        DATA_DIR: tempDir(),
        INTERNAL_SECRET: Buffer.from(secret.all()[0] as Uint8Array).toString('base64'),
      }
      const running = await startBuilt('gateway', { ...env, GATEWAY_PORT: '0' })
      others.push(running)
      return { ...requestsOf(running.url), url: running.url }
    },
    async close() {
      await Promise.all(others.map((running) => running.stop()))
      await platform.close()
      await Promise.all(peers.map((peer) => peer.stop()))
    },
  }
}

export const requestsOf = (url: string): Requests =>
  requestsTo({ handle: (request) => fetch(new Request(request.url.replace('http://localhost', url), request)) }, '')
