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
import { createCurrentSessions } from './console-sessions/current-session'
import type { GatewayDeps } from './deps'
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

/** Creates the gateway's dependencies from its settings. */
export function makeDeps(common: Deps, config: Config, shared: SharedBuckets): GatewayDeps {
  const { client, store, log } = common
  const { limits } = config
  const now = () => common.now().getTime()
  const publicKeys = createPublicKeys(client, now)
  const revocations = createRevocations(client, now)
  const institutions = createInstitutions(client)
  const tokens = createTokens(publicKeys, revocations, now)
  const seal = common.sealFor('console sessions')
  const sessionDeps = { store, client, tokens, revocations, institutions, seal, log, now }
  const sessions = createCurrentSessions(sessionDeps)
  const audit = createAudit(common)
  const institutionAddresses = createInstitutionAddresses((id) => addressesOf(store.read, id), now)
  return {
    ...common,
    config,
    instancesOf: createInstances({ ...common, config }),
    publicKeys,
    revocations,
    institutions,
    institutionAddresses,
    credentials: {
      tokens,
      institutions,
      apiKeys: createApiKeys(client, config.environment, now),
      clientTokens: createClientTokens(common.sealFor('client tokens'), config.issuer, now),
      keyAddresses: createKeyAddresses(noteForeignAddress(audit), institutionAddresses.isAllowedFrom, now),
      keyStates: createKeyStates(client, now),
      failures: createFailureBudget(limits.failures, now),
    },
    policies: createPolicies(limits),
    sharedBuckets: shared,
    rateLimits: createRateLimits(shared, now),
    streamSlots: createSlots({ each: limits.streams, inAll: limits.streamsInAll }, 'Too many streams are open'),
    listSlots: createSlots(
      { each: limits.lists, inAll: limits.listsInAll },
      'Too many unpaged lists, exports and searches are running',
    ),
    uploadSlots: createSlots(uploads, 'Too many files are being uploaded'),
    owners: createOwners(client, now),
    audit,
    trailCheck: createTrailCheck(common),
    cors: createCors(config.corsOrigins),
    callerAddress: callerAddress(config.trustedProxies),
    consoleBuild: currentBuild(log, {
      watched: config.consoleBuild === 'watched',
      environment: config.environment,
    }),
    arrivals: new WeakMap(),
    sessionDeps,
    sessions,
    openStreams: createOpenStreams(),
    consoleStreams: createOpenStreams(),
  }
}
