import type { Deps } from '@bursar/http'
import { createOwners } from './access/owners'
import { createAudit } from './audit/audit'
import { createTrailCheck } from './audit/trail-check'
import { createCors } from './browsers/cors'
import type { Config } from './config'
import { currentBuild } from './console/files/current-build'
import { createCurrentSessions } from './console/sessions/current-session'
import { createApiKeys } from './credentials/api-keys'
import { createFailureBudget } from './credentials/failure-budget'
import { createInstitutions } from './credentials/institutions'
import { createKeyStates } from './credentials/key-states'
import { createPublicKeys } from './credentials/public-keys'
import { createRevocations } from './credentials/revocations'
import { createTokens } from './credentials/tokens'
import type { GatewayDeps } from './deps'
import { createPolicies } from './limits/policies'
import { createRateLimits } from './limits/rate-limits'
import type { SharedBuckets } from './limits/redis-buckets'
import { createSlots } from './limits/slots'
import { callerAddress } from './proxy/caller-address'
import { createIdentityTokens } from './proxy/identity-tokens'
import { createOpenStreams } from './proxy/open-streams'

/** Everything that the gateway works with, by its settings. */
export function makeDeps(common: Deps, config: Config, shared: SharedBuckets): GatewayDeps {
  const { client, identity, store, log } = common
  const { limits } = config
  const publicKeys = createPublicKeys(client)
  const revocations = createRevocations(client)
  const institutions = createInstitutions(client)
  const tokens = createTokens(publicKeys, revocations)
  const seal = common.sealFor('console sessions')
  const sessionDeps = { store, client, tokens, revocations, institutions, seal, log, now: Date.now }
  const sessions = createCurrentSessions(sessionDeps)
  return {
    ...common,
    config,
    publicKeys,
    revocations,
    institutions,
    credentials: {
      tokens,
      institutions,
      apiKeys: createApiKeys(client, config.environment),
      keyStates: createKeyStates(client),
      failures: createFailureBudget(limits.failures),
    },
    identityTokens: createIdentityTokens(identity),
    policies: createPolicies(limits),
    sharedBuckets: shared,
    rateLimits: createRateLimits(shared),
    streamSlots: createSlots(
      { each: limits.streams, inAll: limits.streamsInAll },
      'Too many streams are open at a time',
    ),
    listSlots: createSlots(
      { each: limits.lists, inAll: limits.listsInAll },
      'Too many whole lists, exports and searches are asked for at a time',
    ),
    owners: createOwners(client),
    audit: createAudit(common),
    trailCheck: createTrailCheck(common),
    cors: createCors(config.corsOrigins),
    callerAddress: callerAddress(config.trustedProxies),
    consoleBuild: currentBuild(log, { watched: config.consoleBuild === 'watched' }),
    arrivals: new WeakMap(),
    sessionDeps,
    sessions,
    openStreams: createOpenStreams(),
    consoleStreams: createOpenStreams(),
  }
}
