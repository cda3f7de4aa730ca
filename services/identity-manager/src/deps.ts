import { createSeal, type Deps, openServiceKey } from '@bursar/http'
import type { Config } from './config'
import { createSigner } from './keys/access-tokens'
import { knownDevices } from './logins/known-devices'
import { createHashing, type PasswordHasher } from './passwords/hashing'
import { successors } from './secret-tokens'
import { createProvider } from './single-sign-on/provider'

/** What the routes and workers of the identity-manager service depend on. */
export type IdentityManagerDeps = ReturnType<typeof makeDeps>

/** Creates it from the settings; `pause` waits, to slow log-ins down. */
export function makeDeps(
  common: Deps,
  config: Config,
  { hasher, pause }: { hasher: PasswordHasher | undefined; pause: (ms: number) => Promise<unknown> },
) {
  const key = openServiceKey(config, 'identity.key', 'IDENTITY_SECRET_KEY')
  /** Keeps what must be read again: signing keys and mails. */
  const seal = createSeal(key)
  return {
    ...common,
    config,
    seal,
    pause,
    hashing: createHashing(hasher),
    successorsOf: successors(key),
    knownDevices: knownDevices(key),
    signAccessToken: createSigner(common.store.read, seal),
    /** For single sign-on; null for none. */
    provider: config.singleSignOn ? createProvider(config.singleSignOn, common) : null,
  }
}
