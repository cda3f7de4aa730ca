import type { Deps, Seal } from '@bursar/http'
import type { Config } from './config'
import type { AccessTokenSigner } from './keys/access-tokens'
import type { KnownDevices } from './logins/known-devices'
import type { Hashing } from './passwords/hashing'
import type { Provider } from './single-sign-on/provider'

/** What the identity-manager service is made from. */
export interface IdentityManagerDeps extends Deps {
  readonly config: Config
  /** Keeps what must be read again: signing keys and mails. */
  readonly seal: Seal
  readonly hashing: Hashing
  /** The refresh token that follows one: always the same, and nobody else can compute it. */
  readonly successorOf: (token: string) => string
  readonly signAccessToken: AccessTokenSigner
  readonly knownDevices: KnownDevices
  /** That users log in through besides; null for none. */
  readonly provider: Provider | null
  /** Waits: for log-ins that are slowed down. */
  readonly pause: (ms: number) => Promise<unknown>
}
