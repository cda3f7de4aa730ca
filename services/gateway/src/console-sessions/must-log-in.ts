import type { GatewayDeps } from '../deps'
import { findSession, isLive } from './console-sessions'
import { idOf, secretIn } from './cookie'

/** Where the log-in provider sends browsers back to. */
const returnPath = '/console/single-sign-on'

/**
 * Whether a request for a page is certainly of a browser without a session. Unknown when it comes from another site:
 * browsers send no cookie with it (SameSite=Strict), and so with the return from the log-in provider. The page finds out
 * then.
 */
export async function mustLogIn(
  { store, now }: Pick<GatewayDeps, 'store' | 'now'>,
  { headers }: Request,
  path: string,
): Promise<boolean> {
  const site = headers.get('sec-fetch-site')
  if ((site !== 'none' && site !== 'same-origin') || path === returnPath) return false
  const secret = secretIn(headers)
  const row = secret === null ? undefined : await findSession(store.read, idOf(secret))
  return row === undefined || !isLive(row, now())
}
