import { createCipheriv, createDecipheriv, createHash, randomBytes, scrypt } from 'node:crypto'

/** A secret encrypted with a passphrase, as stored in a file. All bytes are in base64. */
export interface Envelope {
  format: 'bursar-wallet-seed'
  version: 1
  createdAt: string
  /** The fingerprint of the derived keys; not secret. */
  fingerprint: string
  kdf: { name: 'scrypt'; N: number; r: number; p: number; salt: string }
  /** The random key that encrypts the secret, encrypted under the key that scrypt makes of the passphrase. */
  wrappedKey: string
  sealed: string
  /** SHA-256 of all the above: tells a damaged file from a wrong passphrase. */
  checksum: string
}

/** The file is damaged. */
export class DamagedError extends Error {
  override name = 'DamagedError'
}
/** The file is intact, but the passphrase is wrong. */
export class PassphraseError extends Error {
  override name = 'PassphraseError'
}

/** RFC 7914; 128 MiB and about half a second for each guess. */
const productionCost = 2 ** 17
const mostCost = 2 ** 18
const saltBytes = 16
const keyBytes = 32
const ivBytes = 12
const tagBytes = 16

/** Encrypts a secret: AES-256-GCM under a random key, which is wrapped under one made of the passphrase. */
export async function sealEnvelope(
  secret: Uint8Array,
  { passphrase, fingerprint, now, cost = productionCost }: SealOptions,
): Promise<Envelope> {
  const kdf = { name: 'scrypt', N: cost, r: 8, p: 1, salt: randomBytes(saltBytes).toString('base64') } as const
  const head = { format: 'bursar-wallet-seed', version: 1, createdAt: now.toISOString(), fingerprint, kdf } as const
  const aad = JSON.stringify(head)
  const outer = await stretch(passphrase, kdf)
  const inner = randomBytes(keyBytes)
  const body = { ...head, wrappedKey: encrypt(outer, inner, aad), sealed: encrypt(inner, secret, aad) }
  outer.fill(0)
  inner.fill(0)
  return { ...body, checksum: digest(body) }
}

interface SealOptions {
  passphrase: string
  fingerprint: string
  now: Date
  /** scrypt's N; tests take a small one. */
  cost?: number
}

/** The secret of an envelope, to be zeroed after use. Throws DamagedError or PassphraseError. */
export async function openEnvelope(text: string, passphrase: string): Promise<{ secret: Buffer; fingerprint: string }> {
  const { checksum, ...body } = parse(text)
  if (checksum !== digest(body)) throw new DamagedError('its checksum does not match')
  const { wrappedKey, sealed, ...head } = body
  const aad = JSON.stringify(head)
  const outer = await stretch(passphrase, head.kdf)
  const inner = decrypt(outer, wrappedKey, aad)
  outer.fill(0)
  if (!inner) throw new PassphraseError('the passphrase is wrong')
  const secret = decrypt(inner, sealed, aad)
  inner.fill(0)
  if (!secret) throw new DamagedError('what is sealed in it cannot be decrypted')
  return { secret, fingerprint: head.fingerprint }
}

function parse(text: string): Envelope {
  let envelope: Partial<Envelope> | null
  try {
    envelope = JSON.parse(text)
  } catch {
    throw new DamagedError('it is not JSON')
  }
  if (envelope?.format !== 'bursar-wallet-seed') throw new DamagedError('it has another format')
  if (envelope.version !== 1) throw new DamagedError(`version ${envelope.version} is not known here`)
  const { kdf, wrappedKey, sealed, checksum } = envelope
  const isWhole = [wrappedKey, sealed, checksum, kdf?.salt].every((field) => typeof field === 'string')
  const isBounded = kdf !== undefined && kdf.N >= 2 && kdf.N <= mostCost && kdf.r === 8 && kdf.p === 1
  if (!isWhole || !isBounded) throw new DamagedError('fields are missing')
  return envelope as Envelope
}

const digest = (body: object): string => createHash('sha256').update(JSON.stringify(body)).digest('hex')

const stretch = (passphrase: string, { N, r, p, salt }: Envelope['kdf']): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    const options = { N, r, p, maxmem: 512 * 1024 * 1024 }
    scrypt(passphrase.normalize('NFKC'), Buffer.from(salt, 'base64'), keyBytes, options, (error, key) =>
      error ? reject(error) : resolve(key),
    )
  })

function encrypt(key: Uint8Array, plain: Uint8Array, aad: string): string {
  const iv = randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(aad))
  return Buffer.concat([iv, cipher.update(plain), cipher.final(), cipher.getAuthTag()]).toString('base64')
}

/** Null when it was altered, or encrypted under another key. */
function decrypt(key: Uint8Array, base64: string, aad: string): Buffer | null {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.length < ivBytes + tagBytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
    .setAAD(Buffer.from(aad))
    .setAuthTag(bytes.subarray(-tagBytes))
  const plain = decipher.update(bytes.subarray(ivBytes, -tagBytes))
  try {
    decipher.final()
    return plain
  } catch {
    plain.fill(0)
    return null
  }
}
