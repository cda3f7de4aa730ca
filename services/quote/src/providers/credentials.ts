import { createSeal, SealBrokenError } from '@bursar/http'
import { fail } from '../errors'
import { mapCredentials, mask, valueAt } from './credential-leaves'

type Config = Record<string, unknown>

/**
 * Keeps the credentials of provider configs encrypted at rest; a mapping's config is its provider's in this. The
 * provider's id is sealed in, so that a credential does not open at another provider.
 */
export interface Credentials {
  /**
   * The config as it is stored: each credential encrypted. A mask keeps what stands at its place in `stored`; fails
   * (400) where nothing does, and where the config now names another address: a credential stays with the address that
   * it was given for.
   */
  seal(config: Config, providerId: string, stored?: Config): Config
  /** The config in clear, for asking the provider. Throws SealBrokenError naming the credential that does not open. */
  open(config: Config, providerId: string): Config
}

/** The settings that say where a provider's requests go. */
const addressNames = ['url', 'baseUrl']

/** The key has 32 bytes. */
export function createCredentials(key: Buffer): Credentials {
  const { seal, open } = createSeal(key)
  return {
    seal: (config, providerId, stored) =>
      mapCredentials(config, (value, path) =>
        value === mask ? keptAt(config, stored, path) : seal(JSON.stringify(value), providerId),
      ),
    open: (config, providerId) =>
      mapCredentials(config, (value, path) => {
        try {
          return JSON.parse(open(String(value), providerId))
        } catch (cause) {
          throw new SealBrokenError(`config.${path.join('.')} of provider ${providerId} cannot be decrypted`, { cause })
        }
      }),
  }
}

function keptAt(config: Config, stored: Config | undefined, path: readonly string[]): unknown {
  const value = valueAt(stored, path)
  const name = `config.${path.join('.')}`
  if (typeof value !== 'string') {
    const message = `${name} is the mask of a stored credential, but none is stored there: send the credential`
    throw fail('CONFIG_INVALID', { message })
  }
  if (addressNames.some((address) => config[address] !== stored?.[address])) {
    const message = `${name} must be sent anew with a changed ${addressNames.join(' or ')}: a stored credential stays with its address`
    throw fail('CONFIG_INVALID', { message })
  }
  return value
}
