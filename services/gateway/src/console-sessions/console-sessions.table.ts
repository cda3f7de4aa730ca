import type { RoleName } from '@bursar/contracts/identity-manager'
import { boolean, index, json, table, text, timestamp } from '@bursar/store/schema'

/** Whose a session is, as the identity manager said when its tokens were made. */
export interface SessionUser {
  id: string
  email: string
  name: string
  roles: RoleName[]
  participantId: string | null
  custodianId: string | null
}

/** Where users are logged in to the console. */
export const consoleSessions = table(
  'console_sessions',
  {
    /** The SHA-256 of the cookie's secret, which the browser alone has. */
    id: text().primaryKey(),
    /** The identity manager's id of the session. */
    sessionId: text().notNull(),
    userId: text().notNull(),
    user: json<SessionUser>().notNull(),
    mustChangePassword: boolean().notNull(),
    /** The access token and the refresh token, sealed for `id`. */
    tokens: text().notNull(),
    createdAt: timestamp().notNull(),
    /** When the user has shown its second factor last; null for never. */
    verifiedAt: timestamp(),
    /** When a person used it last; kept to some seconds. */
    usedAt: timestamp().notNull(),
  },
  (table) => [index('console_sessions_user').on(table.userId), index('console_sessions_used_at').on(table.usedAt)],
)
