import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { pointFromScalar, signRecoverable } from 'tiny-secp256k1'

/** The uncompressed secp256k1 public key (65 bytes) of a private one. */
export function secp256k1PublicKey(key: Uint8Array): Uint8Array {
  const point = pointFromScalar(key, false)
  if (!point) throw new Error('There is no such secp256k1 key')
  return point
}

/** The secp256k1 signature of a 32-byte hash (RFC 6979, low s): recovery bit, r, s. */
export function signSecp256k1(key: Uint8Array, hash: Uint8Array): Uint8Array {
  const { recoveryId, signature } = signRecoverable(hash, key)
  return Uint8Array.of(recoveryId, ...signature)
}

/** The ed25519 public key (32 bytes) of a private one. */
export const ed25519PublicKey = (key: Uint8Array): Uint8Array =>
  new Uint8Array(createPublicKey(ed25519Key(key)).export({ format: 'der', type: 'spki' }).subarray(-keyBytes))

/** The ed25519 signature of a message, 64 bytes (RFC 8032). */
export const signEd25519 = (key: Uint8Array, message: Uint8Array): Uint8Array =>
  new Uint8Array(sign(null, message, ed25519Key(key)))

const keyBytes = 32
/** The prefix of the key in its PKCS #8 form (RFC 8410). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex')

function ed25519Key(key: Uint8Array): KeyObject {
  const der = Buffer.concat([pkcs8Head, key])
  try {
    return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  } finally {
    der.fill(0)
  }
}
