import type { Deps } from '@bursar/http'
import { createApiKeys } from './access/api-keys'
import { createClientTokens } from './access/client-tokens'
import { createFailureBudget } from './access/failure-budget'
import { createInstitutions } from './access/institutions'
import { createKeyAddresses } from './access/key-addresses'
import { createKeyStates } from './access/key-states'
import { createOwners } from './access/owners'
import { createPublicKeys } from './access/public-keys'
import { createRevocations } from './access/revocations'
import { createTokens } from './access/tokens'
import { createAudit } from './audit-trail/audit'
import { noteForeignAddress } from './audit-trail/foreign-address'
import { createTrailCheck } from './audit-trail/trail-check'
import type { Config } from './config'
import { currentBuild } from './console/files/current-build'
import type { Arrivals } from './console-sessions/arrivals'
import { createCurrentSessions } from './console-sessions/current-session'
import { callerAddress } from './front/caller-address'
import { createCors } from './front/cors'
import { addressesOf, createInstitutionAddresses } from './institution-addresses/institution-addresses'
import { createPolicies } from './limits/policies'
import { createRateLimits } from './limits/rate-limits'
import type { SharedBuckets } from './limits/redis-buckets'
import { createSlots } from './limits/slots'
import { createInstances } from './operations/instances'
import { createOpenStreams } from './proxy/open-streams'

/** Files sent at a time; the main API reads eight. */
const uploads = { each: 2, inAll: 8 }

/** What the routes and workers of the gateway depend on. */
export type GatewayDeps = ReturnType<typeof makeDeps>

/** Creates it from the settings. */
export function makeDeps(common: Deps, config: Config, sharedBuckets: SharedBuckets) {
  const { client, store, log } = common
  const { limits } = config
  const now = () => common.now().getTime()
  const publicKeys = createPublicKeys(client, now)
  const revocations = createRevocations(client, now)
  const institutions = createInstitutions(client)
  const tokens = createTokens(publicKeys, revocations, now)
  const sessionDeps = { ...common, tokens, revocations, institutions, sessionSeal: common.sealFor('console sessions') }
  const audit = createAudit(common)
  const institutionAddresses = createInstitutionAddresses((id) => addressesOf(store.read, id), now)
  return {
    ...sessionDeps,
    config,
    instancesOf: createInstances({ ...common, config }),
    publicKeys,
    institutionAddresses,
    credentials: {
      tokens,
      institutions,
      apiKeys: createApiKeys(client, config.environment, now),
      clientTokens: createClientTokens(common.sealFor('client tokens'), config.issuer, now),
      keyAddresses: createKeyAddresses(noteForeignAddress(audit), institutionAddresses.isAllowedFrom, now),
      hasKey: createKeyStates(client, now),
      failures: createFailureBudget(limits.failures, now),
    },
    policies: createPolicies(limits),
    sharedBuckets,
    rateLimits: createRateLimits(sharedBuckets, now),
    streamSlots: createSlots({ each: limits.streams, inAll: limits.streamsInAll }, 'Too many streams are open', now),
    listSlots: createSlots(
      { each: limits.lists, inAll: limits.listsInAll },
      'Too many unpaged lists, exports and searches are running',
      now,
    ),
    uploadSlots: createSlots(uploads, 'Too many files are being uploaded', now),
    owners: createOwners(client, now),
    audit,
    trailCheck: createTrailCheck(common),
    cors: createCors(config.corsOrigins),
    callerAddress: callerAddress(config.trustedProxies),
    consoleBuild: currentBuild(log, {
      watched: config.consoleBuild === 'watched',
      environment: config.environment,
    }),
    arrivals: new WeakMap() as Arrivals,
    sessions: createCurrentSessions(sessionDeps),
    /** The open streams of the API's callers and of the console's sessions. */
    openStreams: createOpenStreams(),
    consoleStreams: createOpenStreams(),
  }
}
