import type { MfaRequired, Tokens } from '@bursar/contracts/identity-manager'
import type { IdentityManagerDeps } from '../deps'
import { accessTokenSeconds } from '../keys/signing-keys'
import { hasSecondFactor, mustHaveSecondFactor } from '../second-factor/authenticators'
import { challengeSeconds } from '../second-factor/challenges'
import type { LoggedIn } from '../sessions/refresh'
import type { Challenged } from './begin'

/** The answer to a successful log-in. */
export async function tokenData(
  { store, config, now, signAccessToken }: IdentityManagerDeps,
  { user, sessionId, refreshToken, secondFactorAt }: LoggedIn,
): Promise<Tokens['data']> {
  const hasShown = secondFactorAt !== null || (await hasSecondFactor(store.read, user.id))
  const mustEnrol = mustHaveSecondFactor(config, user) && !hasShown
  const accessToken = await signAccessToken(user, { id: sessionId, mustEnrol }, now())
  const { id, email, name, roles } = user
  return { accessToken, refreshToken, expiresIn: accessTokenSeconds, user: { id, email, name, roles } }
}

/** The answer to a log-in that awaits its code. */
export const challengeData = ({ challenge, methods }: Challenged): MfaRequired['data'] => ({
  mfaRequired: true,
  challenge,
  methods,
  expiresIn: challengeSeconds,
})
