import { getKnownUser, type Tokens } from '@bursar/contracts/identity-manager'
import { ifCallFails, sha256 } from '@bursar/http'
import { fail } from '../errors'
import { insertSession, type SessionRow } from './console-sessions'
import { idOf, newSecret } from './cookie'
import { sealTokens } from './sealed-tokens'
import { type Session, type SessionDeps, toSession, toSessionUser } from './session'

/**
 * Stores the tokens of a log-in; `provenAt` is when it verified a second factor. The secret goes into the browser's
 * cookie, and is stored nowhere else.
 */
export async function beginSession(
  { store, client, tokens, sessionSeal, now }: SessionDeps,
  { data }: Tokens,
  { provenAt }: { provenAt: Date | null },
): Promise<{ session: Session; secret: string }> {
  const digest = sha256(data.accessToken)
  const token = await tokens.verify(data.accessToken, digest)
  const userId = token.caller.subject
  const user = await ifCallFails(client.find(getKnownUser, { params: { id: userId } }), (cause) => {
    throw fail('SERVICE_UNAVAILABLE', { cause })
  })
  if (!user) throw fail('UNAUTHORIZED', { message: 'The user was deleted' })
  const secret = newSecret()
  const rowId = idOf(secret)
  const at = now()
  const row: SessionRow = {
    id: rowId,
    sessionId: token.sessionId,
    userId,
    user: toSessionUser(user),
    mustChangePassword: user.mustChangePassword,
    tokens: sealTokens(sessionSeal, rowId, data),
    createdAt: at,
    verifiedAt: provenAt,
    usedAt: at,
  }
  await store.commit((tx) => insertSession(tx).execute(row))
  return { session: toSession(row, token), secret }
}
