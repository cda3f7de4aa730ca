import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import type { ServiceConfig } from '../settings/config'
import { keyBytes } from './key-file'
import { type Key, type KeyRing, openKeyRing, ringOf } from './key-ring'

/** Encrypts secrets at rest: what is sealed for one owner (`aad`, such as a record's id) opens only for that owner. */
export interface Seal {
  /** Never the same twice, also for the same text. */
  seal(text: string, aad: string): string
  /** Throws SealBrokenError if it was altered, or sealed for another owner or with another key. */
  open(sealed: string, aad: string): string
  /** The text sealed by the newest key; null if it already is. Throws as `open` does. */
  renew(sealed: string, aad: string): string | null
  /** Its keys. */
  readonly ring: KeyRing
}

/** A sealed text cannot be opened. The message reveals nothing of the secret. */
export class SealBrokenError extends Error {
  override name = 'SealBrokenError'
}

const algorithm = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/** `v1.`, the id of the key, and IV, text and tag in base64url. */
const form = /^v1\.([0-9a-f]{8})\.([\w-]*)$/

/** Whether a text has the form of a sealed text. */
export const isSealed = (text: string): boolean => form.test(text)

/** AES-256-GCM with a random IV, by the newest key. Texts sealed by an earlier key of the ring open, too. */
export const createSeal = (key: Uint8Array | KeyRing): Seal => sealBy(ringOf(key), ({ bytes }) => bytes)

/**
 * For texts that one service of the deployment seals and another opens, such as credentials inside an event. Each
 * purpose has its own key, derived from the deployment's secret.
 */
export function deploymentSeal(secret: Uint8Array | KeyRing, purpose: string): Seal {
  const derived = new Map<string, Buffer>()
  return sealBy(ringOf(secret), ({ id, bytes }) =>
    derived.getOrInsertComputed(id, () =>
      Buffer.from(hkdfSync('sha256', bytes, new Uint8Array(), `bursar/seal/${purpose}/v1`, keyBytes)),
    ),
  )
}

function sealBy(ring: KeyRing, bytesOf: (key: Key) => Buffer): Seal {
  const newest = () => ring.keys()[0] as Key
  function seal(text: string, aad: string): string {
    const key = newest()
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, bytesOf(key), iv).setAAD(Buffer.from(aad))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `v1.${key.id}.${sealed.toString('base64url')}`
  }
  function open(sealed: string, aad: string): string {
    const [, id = '', data = ''] = form.exec(sealed) ?? []
    if (id === '') throw new SealBrokenError(`What is kept for ${aad} is not sealed`)
    const key = ring.find(id)
    if (!key)
      throw new SealBrokenError(`What is sealed for ${aad} cannot be decrypted: ${ring.name} lacks the key ${id}`)
    try {
      return decrypt(bytesOf(key), Buffer.from(data, 'base64url'), aad)
    } catch (cause) {
      throw new SealBrokenError(`What is sealed for ${aad} cannot be decrypted`, { cause })
    }
  }
  return {
    ring,
    seal,
    open,
    renew: (sealed, aad) => (sealed.startsWith(`v1.${newest().id}.`) ? null : seal(open(sealed, aad), aad)),
  }
}

function decrypt(key: Buffer, bytes: Buffer, aad: string): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}

/**
 * The keys that a service seals with: `given`, a setting by its name and its value (base64), else the file in the data
 * folder, made at the first start for its owner alone. Throws ConfigError when one is not 32 bytes in base64.
 */
export const openSealingKey = (dataDir: string, file: string, given?: { name: string; value: string | undefined }) =>
  openKeyRing({ dataDir, file, ...(given ? { given } : {}) })

/** A service's settings for its sealing keys. */
interface KeySettings extends Pick<ServiceConfig, 'dataDir' | 'databaseUrl'> {
  /** The keys, base64; undefined: those of the file. */
  readonly secretKey: string | undefined
}

/**
 * The same for a service. If it may have other instances, a missing file is not generated, but refused (ConfigError).
 */
export const openServiceKey = ({ dataDir, databaseUrl, secretKey: value }: KeySettings, file: string, name: string) =>
  openKeyRing({ dataDir, file, given: { name, value }, mayMake: databaseUrl === null })
