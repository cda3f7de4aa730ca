import { createSeal, isSealed, type KeyRing, SealBrokenError, type SealedPlace } from '@bursar/http'
import { rewriteColumn } from '@bursar/store'
import { fail } from '../errors'
import { assetProviders } from '../tables/asset-providers.table'
import { categoryProviders } from '../tables/category-providers.table'
import { providers } from '../tables/providers.table'
import { mapCredentials, mask, valueAt } from './credential-leaves'

type Config = Record<string, unknown>

/**
 * Keeps the credentials in configs encrypted at rest; those of a mapping's config belong to its provider. The
 * provider's id is authenticated, so that a credential cannot be opened for another provider.
 */
export interface Credentials {
  /**
   * The config to store, with each credential encrypted. A mask keeps the credential at the same path of `stored`.
   * Fails (400) when there is none, and when the address has changed, by the config's settings or (`hasMoved`) by the
   * slug: a credential is only sent to the address that it was given for.
   */
  seal(config: Config, providerId: string, stored?: Config, hasMoved?: boolean): Config
  /** The decrypted config, for calling the provider. Throws SealBrokenError, which names the credential. */
  open(config: Config, providerId: string): Config
  /** The configs that they lie in. */
  readonly places: readonly SealedPlace[]
}

/** The settings that determine a provider's address. */
export const addressNames = ['url', 'baseUrl']

export function createCredentials(key: Uint8Array | KeyRing): Credentials {
  const each = createSeal(key)
  const { seal, open } = each
  const columns = [
    rewriteColumn(providers, { column: 'config', owner: ['id'], key: ['id'] }),
    rewriteColumn(assetProviders, { column: 'config', owner: ['providerId'], key: ['assetId', 'providerId'] }),
    rewriteColumn(categoryProviders, { column: 'config', owner: ['providerId'], key: ['id'] }),
  ]
  const renew = (config: unknown, providerId: string): Config | null => {
    let isOld = false
    const renewed = mapCredentials(config as Config, (value) => {
      const fresh = isSealed(String(value)) ? each.renew(String(value), providerId) : null
      if (fresh !== null) isOld = true
      return fresh ?? value
    })
    return isOld ? renewed : null
  }
  return {
    places: columns.map((column) => ({ seal: each, column, renew })),
    seal: (config, providerId, stored, hasMoved = false) =>
      mapCredentials(config, (value, path) =>
        value === mask ? keptAt(config, stored, path, hasMoved) : seal(JSON.stringify(value), providerId),
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

function keptAt(config: Config, stored: Config | undefined, path: readonly string[], hasMoved: boolean): unknown {
  const value = valueAt(stored, path)
  const name = `config.${path.join('.')}`
  if (typeof value !== 'string') {
    const message = `${name} is the mask of a stored credential, but none is stored there: send the credential`
    throw fail('CONFIG_INVALID', { message })
  }
  const isAt = (address: string) => valueAt(config, [address]) === valueAt(stored, [address])
  if (!addressNames.every(isAt)) throw sendAgain(name, addressNames.join(' or '))
  if (hasMoved) throw sendAgain(name, 'slug')
  return value
}

const sendAgain = (name: string, changed: string) =>
  fail('CONFIG_INVALID', {
    message: `${name} must be sent again with a changed ${changed}: a stored credential stays with its address`,
  })
