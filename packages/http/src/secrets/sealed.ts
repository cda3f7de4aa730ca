import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { ConfigError } from '../settings/config-error'
import { keyBytes, readKeyFile } from './key-file'

/** Keeps secrets encrypted at rest: what is sealed for one owner (`aad`, such as a record's id) opens for it alone. */
export interface Seal {
  /** Never the same twice, also for the same text. */
  seal(text: string, aad: string): string
  /** Throws SealBrokenError when it was altered, or sealed for another owner or with another key. */
  open(sealed: string, aad: string): string
}

/** What was sealed cannot be opened. Its message says nothing of the secret. */
export class SealBrokenError extends Error {
  override name = 'SealBrokenError'
}

const algorithm = 'aes-256-gcm'
const version = 'v1.'
const ivBytes = 12
const tagBytes = 16

/** AES-256-GCM, with a random IV each. The key has 32 bytes. */
export const createSeal = (key: Buffer): Seal => ({
  seal(text, aad) {
    const iv = randomBytes(ivBytes)
    const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(aad))
    const sealed = Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return version + sealed.toString('base64url')
  },
  open(sealed, aad) {
    if (!sealed.startsWith(version)) throw new SealBrokenError(`What is kept for ${aad} is not sealed`)
    try {
      return decrypt(key, Buffer.from(sealed.slice(version.length), 'base64url'), aad)
    } catch (cause) {
      throw new SealBrokenError(`What is sealed for ${aad} cannot be decrypted`, { cause })
    }
  },
})

/**
 * What one service of the deployment seals and another opens, such as credentials inside an event. Each purpose has a key
 * of its own, derived from the deployment's secret.
 */
export const deploymentSeal = (secret: Uint8Array, purpose: string): Seal =>
  createSeal(Buffer.from(hkdfSync('sha256', secret, new Uint8Array(), `bursar/seal/${purpose}/v1`, keyBytes)))

function decrypt(key: Buffer, bytes: Buffer, aad: string): string {
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(-tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()]).toString('utf8')
}

/**
 * The key that a service seals with: `given`, a setting by its name and its value (base64), else the file in the data
 * folder, made at the first start for its owner alone. Throws ConfigError when it is not 32 bytes in base64.
 */
export function openSealingKey(dataDir: string, file: string, given?: { name: string; value: string | undefined }) {
  if (given?.value !== undefined) return parsed(given.value, given.name)
  return parsed(readKeyFile(dataDir, file), join(dataDir, file))
}

function parsed(text: string, from: string): Buffer {
  const key = Buffer.from(text.trim(), 'base64')
  if (key.length === keyBytes) return key
  throw new ConfigError(`${from} must hold ${keyBytes} bytes in base64 (openssl rand -base64 32)`)
}
