import type { Deps } from '@bursar/http'
import type { Owners } from './access/owners'
import type { Audit } from './audit/audit'
import type { TrailCheck } from './audit/trail-check'
import type { Cors } from './browsers/cors'
import type { Config } from './config'
import type { CurrentBuild } from './console/files/current-build'
import type { Arrivals } from './console/sessions/arrivals'
import type { CurrentSessions } from './console/sessions/current-session'
import type { SessionDeps } from './console/sessions/session'
import type { Credentials } from './credentials/authenticate'
import type { Institutions } from './credentials/institutions'
import type { PublicKeys } from './credentials/public-keys'
import type { Revocations } from './credentials/revocations'
import type { Policies } from './limits/policies'
import type { RateLimits } from './limits/rate-limits'
import type { SharedBuckets } from './limits/redis-buckets'
import type { Slots } from './limits/slots'
import type { CallerAddress } from './proxy/caller-address'
import type { IdentityTokens } from './proxy/identity-tokens'
import type { OpenStreams } from './proxy/open-streams'

/** What the gateway is made from. */
export interface GatewayDeps extends Deps {
  readonly config: Config
  readonly credentials: Credentials
  readonly publicKeys: PublicKeys
  readonly revocations: Revocations
  readonly institutions: Institutions
  readonly identityTokens: IdentityTokens
  readonly policies: Policies
  readonly rateLimits: RateLimits
  readonly sharedBuckets: SharedBuckets
  readonly streamSlots: Slots
  readonly listSlots: Slots
  readonly owners: Owners
  readonly audit: Audit
  readonly trailCheck: TrailCheck
  readonly cors: Cors
  readonly callerAddress: CallerAddress
  readonly consoleBuild: CurrentBuild
  readonly arrivals: Arrivals
  readonly sessionDeps: SessionDeps
  readonly sessions: CurrentSessions
  /** Of the API's callers, and of the console's sessions. */
  readonly openStreams: OpenStreams
  readonly consoleStreams: OpenStreams
}
