import { t } from '@bursar/contracts/schema'
import type { Seal } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'

/** What the identity manager gave for a session. No browser ever gets it. */
export interface SessionTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

const Opened = t.Object({ accessToken: t.String(), refreshToken: t.String() })

/** Keeps the tokens of a session, which opens for the id of its row alone. */
export const sealTokens = (seal: Seal, id: string, { accessToken, refreshToken }: SessionTokens): string =>
  seal.seal(JSON.stringify({ accessToken, refreshToken }), id)

/** Null for what was sealed with another key: the deployment has another secret by now. */
export function openTokens(seal: Seal, id: string, sealed: string): SessionTokens | null {
  try {
    const opened: unknown = JSON.parse(seal.open(sealed, id))
    return Value.Check(Opened, opened) ? opened : null
  } catch {
    return null
  }
}
