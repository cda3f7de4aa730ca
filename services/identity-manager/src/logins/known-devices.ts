import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { newToken } from '../secret-tokens'

/**
 * Tokens that recognise a device from which a user has logged in before. A token is not a credential: it gives its
 * holder a reserved turn among many log-ins, and others' failures do not count against it.
 */
export interface KnownDevices {
  issue(userId: string, now: Date): string
  /** The id of the device; null for a token of another user, or an expired one. */
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
      // A token from the future was issued by a wrong clock that has been corrected.
      return Math.abs(now.getTime() - Number(issuedAt)) <= lifeMs ? id : null
    },
  }
}
