import type { Tx } from '@bursar/store'
import type { IdentityManagerDeps } from '../deps'
import { type Method, methodsOf } from '../second-factor/authenticators'
import { createChallenge } from '../second-factor/challenges'
import { newToken } from '../secret-tokens'
import type { LoggedIn } from '../sessions/refresh'
import { storeRefreshToken } from '../sessions/refresh-tokens'
import { dayMs, type NewSession, openSession } from '../sessions/sessions'
import type { UserRow } from '../users/users'

type BeginDeps = Pick<IdentityManagerDeps, 'config' | 'now'>

/** The origin of a log-in. */
export type Arrival = Required<Pick<NewSession, 'origin' | 'viaProvider' | 'secondFactorAt'>>

/** The first factor was right; a code is required. */
export interface Challenged {
  challenge: string
  methods: Method[]
}

/** Opens a session, or requires a code when the user has a second factor and the provider has verified none. */
export async function beginOrChallenge(
  tx: Tx,
  deps: BeginDeps,
  user: UserRow,
  { device, ...arrival }: Arrival & { device: string | null },
): Promise<LoggedIn | Challenged> {
  const methods = arrival.secondFactorAt === null ? await methodsOf(tx, user.id) : []
  if (methods.length === 0) return await begin(tx, deps, user, arrival)
  const { viaProvider } = arrival
  return { challenge: await createChallenge(tx, user.id, { device, viaProvider }, deps.now()), methods }
}

/** Opens a session of a fully authenticated user. */
export async function begin(tx: Tx, { config, now }: BeginDeps, user: UserRow, arrival: Arrival): Promise<LoggedIn> {
  const lifeMs = longestMs(config, arrival)
  const session = await openSession(tx, { userId: user.id, lifeMs, ...arrival }, now())
  const refreshToken = newToken()
  await storeRefreshToken(tx, refreshToken, { sessionId: session.id, idleMs: config.idleDays * dayMs }, now())
  return { user, sessionId: session.id, refreshToken, secondFactorAt: arrival.secondFactorAt }
}

/** Bounds a session through the provider, so that rights removed there take effect. */
function longestMs({ sessionDays, singleSignOn }: BeginDeps['config'], { viaProvider }: Arrival): number {
  const days = sessionDays * dayMs
  return viaProvider && singleSignOn ? Math.min(days, singleSignOn.sessionHours * hourMs) : days
}

const hourMs = 60 * 60 * 1000
