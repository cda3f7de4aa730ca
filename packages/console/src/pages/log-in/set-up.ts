import type { Session } from '../../api/session'

/** The answer when a second factor is set up: the session that continues. Codes are null if the user has some already. */
export interface SetUp {
  session: Session
  recoveryCodes: readonly string[] | null
}
