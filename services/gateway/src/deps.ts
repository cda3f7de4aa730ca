import type { Deps } from '@bursar/http'
import type { Credentials } from './access/authenticate'
import type { Institutions } from './access/institutions'
import type { Owners } from './access/owners'
import type { PublicKeys } from './access/public-keys'
import type { Revocations } from './access/revocations'
import type { Audit } from './audit-trail/audit'
import type { TrailCheck } from './audit-trail/trail-check'
import type { Config } from './config'
import type { CurrentBuild } from './console/files/current-build'
import type { Arrivals } from './console-sessions/arrivals'
import type { CurrentSessions } from './console-sessions/current-session'
import type { SessionDeps } from './console-sessions/session'
import type { CallerAddress } from './front/caller-address'
import type { Cors } from './front/cors'
import type { InstitutionAddresses } from './institution-addresses/institution-addresses'
import type { Policies } from './limits/policies'
import type { RateLimits } from './limits/rate-limits'
import type { SharedBuckets } from './limits/redis-buckets'
import type { Slots } from './limits/slots'
import type { InstancesOf } from './operations/instances'
import type { OpenStreams } from './proxy/open-streams'

/** What the routes and workers of the gateway depend on. */
export interface GatewayDeps extends Deps {
  readonly config: Config
  /** The instances of each service. */
  readonly instancesOf: InstancesOf
  readonly credentials: Credentials
  readonly publicKeys: PublicKeys
  readonly revocations: Revocations
  readonly institutions: Institutions
  readonly policies: Policies
  readonly rateLimits: RateLimits
  readonly sharedBuckets: SharedBuckets
  readonly streamSlots: Slots
  readonly listSlots: Slots
  readonly uploadSlots: Slots
  readonly owners: Owners
  readonly audit: Audit
  readonly trailCheck: TrailCheck
  readonly institutionAddresses: InstitutionAddresses
  readonly cors: Cors
  readonly callerAddress: CallerAddress
  readonly consoleBuild: CurrentBuild
  readonly arrivals: Arrivals
  readonly sessionDeps: SessionDeps
  readonly sessions: CurrentSessions
  /** The open streams of the API's callers and of the console's sessions. */
  readonly openStreams: OpenStreams
  readonly consoleStreams: OpenStreams
}
