import type { Deps, Seal } from '@bursar/http'
import type { Config } from './config'
import type { AccessTokenSigner } from './keys/access-tokens'
import type { Hashing } from './passwords/hashing'

/** What the identity-manager service is made from. */
export interface IdentityManagerDeps extends Deps {
  readonly config: Config
  readonly now: () => Date
  /** Keeps what must be read again: signing keys, mails, refresh tokens for a repeated request. */
  readonly seal: Seal
  readonly hashing: Hashing
  readonly signAccessToken: AccessTokenSigner
}
