import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '@bursar/contracts/secrets'
import { derivedFrom, newToken } from '../secret-tokens'

const lifeMs = 180 * 24 * 60 * 60 * 1000

/**
 * Tokens that recognise a device from which a user has logged in before. A token is not a credential: it gives its
 * holder a reserved turn among many log-ins, and others' failures do not count against it.
 */
export function knownDevices(secrets: Secrets) {
  const keyOf = derivedFrom('bursar/known-device/v1')
  const macOf = (secret: Uint8Array, text: string) => createHmac('sha256', keyOf(secret)).update(text).digest()
  const isOurs = (given: Buffer, text: string) =>
    secrets.all().some((secret) => {
      const right = macOf(secret, text)
      return given.length === right.length && timingSafeEqual(given, right)
    })
  return {
    issue(userId: string, now: Date): string {
      const [id, issuedAt] = [newToken(), `${now.getTime()}`]
      const mac = macOf(secrets.all()[0] as Uint8Array, `${id}.${issuedAt}.${userId}`)
      return `${id}.${issuedAt}.${mac.toString('base64url')}`
    },
    /** The id of the device; null for a token of another user, or an expired one. */
    read(token: string | undefined, userId: string, now: Date): string | null {
      const [id = '', issuedAt = '', mac = '', ...more] = token?.split('.') ?? []
      const given = Buffer.from(mac, 'base64url')
      if (more.length > 0 || !isOurs(given, `${id}.${issuedAt}.${userId}`)) return null
      // A token from the future was issued by a wrong clock that has been corrected.
      return Math.abs(now.getTime() - Number(issuedAt)) <= lifeMs ? id : null
    },
  }
}
