import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { newToken } from '../secret-tokens'

/**
 * Tokens by which a device is known again that a user has logged in with before. One is no credential: it keeps its holder
 * a place among many log-ins, and lets others' failures not count against it.
 */
export interface KnownDevices {
  issue(userId: string, now: Date): string
  /** The id of the device; null for a token that is not of this user's device, or too old. */
  read(token: string | undefined, userId: string, now: Date): string | null
}

const lifeMs = 180 * 24 * 60 * 60 * 1000

export function knownDevices(key: Uint8Array): KnownDevices {
  const own = Buffer.from(hkdfSync('sha256', key, new Uint8Array(), 'bursar/known-device/v1', 32))
  const macOf = (id: string, issuedAt: string, userId: string) =>
    createHmac('sha256', own).update(`${id}.${issuedAt}.${userId}`).digest()
  return {
    issue(userId, now) {
      const [id, issuedAt] = [newToken(), `${now.getTime()}`]
      return `${id}.${issuedAt}.${macOf(id, issuedAt, userId).toString('base64url')}`
    },
    read(token, userId, now) {
      const [id = '', issuedAt = '', mac = '', ...more] = token?.split('.') ?? []
      const given = Buffer.from(mac, 'base64url')
      const right = macOf(id, issuedAt, userId)
      if (more.length > 0 || given.length !== right.length || !timingSafeEqual(given, right)) return null
      // One from a time ahead was issued by a clock that was put right since.
      return Math.abs(now.getTime() - Number(issuedAt)) <= lifeMs ? id : null
    },
  }
}
