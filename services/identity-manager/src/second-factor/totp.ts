import { createHmac, timingSafeEqual } from 'node:crypto'

/** RFC 6238 with the parameters that every authenticator supports: SHA-1, six digits, steps of 30 seconds. */
const digits = 6
const stepMs = 30_000
/** Accepted steps before and after the current one, since clocks of telephones differ. */
const window = 1

/** HOTP (RFC 4226) of a counter. */
export function hotp(secret: Uint8Array, counter: number, length = digits): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', secret).update(message).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return `${(mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** length}`.padStart(length, '0')
}

export const stepOf = (now: Date): number => Math.floor(now.getTime() / stepMs)

/** The step of this code, among those around now and after `lastStep`; null for none. A code is usable once. */
export function stepOfCode(secret: Uint8Array, code: string, lastStep: number, now: Date): number | null {
  const current = stepOf(now)
  let found: number | null = null
  for (let step = current - window; step <= current + window; step++) {
    if (isSame(hotp(secret, step), code) && step > lastStep) found = step
  }
  return found
}

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** RFC 4648 base32 without padding, as authenticators read secrets. */
export function base32(bytes: Uint8Array): string {
  let [text, bits, held] = ['', 0, 0]
  for (const byte of bytes) {
    held = (held << 8) | byte
    bits += 8
    for (; bits >= 5; bits -= 5) text += letters[(held >>> (bits - 5)) & 31]
    held &= (1 << bits) - 1
  }
  return bits > 0 ? text + letters[(held << (5 - bits)) & 31] : text
}

/** The content of the QR code for an authenticator. */
export const otpauthUri = (secret: Uint8Array, email: string, issuer: string): string =>
  `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(email)}?secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
