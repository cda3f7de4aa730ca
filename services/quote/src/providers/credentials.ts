import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
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
  /** The config in clear, for asking the provider. Throws when a credential was altered, or sealed with another key. */
  open(config: Config, providerId: string): Config
}

/** A sealed credential cannot be read. */
export class SealBrokenError extends Error {
  override name = 'SealBrokenError'
}

/** The settings that say where a provider's requests go. */
const addressNames = ['url', 'baseUrl']

const algorithm = 'aes-256-gcm'
const version = 'v1.'
const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM, with a random IV each. The key has 32 bytes. */
export const createCredentials = (key: Buffer): Credentials => ({
  seal: (config, providerId, stored) =>
    mapCredentials(config, (value, path) =>
      value === mask ? keptAt(config, stored, path) : encrypt(key, providerId, JSON.stringify(value)),
    ),
  open: (config, providerId) =>
    mapCredentials(config, (value, path) => {
      try {
        return JSON.parse(decrypt(key, providerId, String(value)))
      } catch (cause) {
        throw new SealBrokenError(`config.${path.join('.')} of provider ${providerId} cannot be decrypted`, { cause })
      }
    }),
})

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

function encrypt(key: Buffer, providerId: string, text: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(providerId))
  const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return version + sealed.toString('base64url')
}

function decrypt(key: Buffer, providerId: string, sealed: string): string {
  if (!sealed.startsWith(version)) throw new Error('it is not sealed')
  const bytes = Buffer.from(sealed.slice(version.length), 'base64url')
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(providerId))
    .setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}
