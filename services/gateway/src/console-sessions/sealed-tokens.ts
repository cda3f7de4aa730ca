import { t } from '@bursar/contracts/schema'
import type { Seal } from '@bursar/http'
import { Value } from '@sinclair/typebox/value'

/** The identity manager's tokens of a session. Browsers never get them. */
interface SessionTokens {
  readonly accessToken: string
  readonly refreshToken: string
}

const Opened = t.Object({ accessToken: t.String(), refreshToken: t.String() })

/** Encrypts the tokens of a session, bound to the id of its row. */
export const sealTokens = (seal: Seal, id: string, { accessToken, refreshToken }: SessionTokens): string =>
  seal.seal(JSON.stringify({ accessToken, refreshToken }), id)

/** Null if encrypted with another key: the deployment's secret has changed. */
export function openTokens(seal: Seal, id: string, sealed: string): SessionTokens | null {
  try {
    const opened: unknown = JSON.parse(seal.open(sealed, id))
    return Value.Check(Opened, opened) ? opened : null
  } catch {
    return null
  }
}
