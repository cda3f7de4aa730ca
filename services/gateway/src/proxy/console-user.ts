import type { Authenticated } from '../credentials/authenticate'

/** The user of a session of the console. Its requests are held to the table of routes and roles, and all its writes are audited. */
export type ConsoleUser = Pick<Authenticated, 'caller' | 'counted' | 'mustEnrol'> & {
  readonly sessionId: string
  /** When the user has shown its second factor last; null for never. */
  readonly verifiedAt: Date | null
}
