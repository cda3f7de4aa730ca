import { fail } from '../errors'
import type { Target } from '../routing/target'

/** Refuses (403) a user that must set up a second factor all that is not about this, its profile and its sessions. */
export function requireEnrolled({ mustEnrol }: { mustEnrol: boolean }, { service, path }: Target): void {
  if (!mustEnrol || (service === 'identity-manager' && beforeEnrolment.test(path))) return
  throw fail('SECOND_FACTOR_REQUIRED')
}

const beforeEnrolment =
  /^\/(auth\/.+|users\/(change-password-token|mfa|mfa\/totp|mfa\/totp\/confirm|mfa\/passkeys|mfa\/passkeys\/options|profile)|health|\.well-known\/jwks\.json)$/
