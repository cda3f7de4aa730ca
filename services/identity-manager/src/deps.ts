import type { Deps, Seal } from '@bursar/http'
import type { Config } from './config'
import type { AccessTokenSigner } from './keys/access-tokens'
import type { KnownDevices } from './logins/known-devices'
import type { Hashing } from './passwords/hashing'
import type { Provider } from './single-sign-on/provider'

/** What the routes and workers of the identity-manager service depend on. */
export interface IdentityManagerDeps extends Deps {
  readonly config: Config
  /** Keeps what must be read again: signing keys and mails. */
  readonly seal: Seal
  readonly hashing: Hashing
  /** Derives the successor of a refresh token: deterministic, and not computable by others. */
  readonly successorsOf: (token: string) => string[]
  readonly signAccessToken: AccessTokenSigner
  readonly knownDevices: KnownDevices
  /** The identity provider for single sign-on; null for none. */
  readonly provider: Provider | null
  /** Waits, to slow log-ins down. */
  readonly pause: (ms: number) => Promise<unknown>
}
