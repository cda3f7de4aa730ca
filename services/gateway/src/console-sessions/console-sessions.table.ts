import type { KnownUser } from '@bursar/contracts/identity-manager'
import { boolean, index, json, table, text, timestamp } from '@bursar/store/schema'

/** The user of a session, as of its last tokens. */
export type SessionUser = Pick<KnownUser, 'id' | 'email' | 'name' | 'roles' | 'participantId' | 'custodianId'>

/** Sessions of the console. */
export const consoleSessions = table(
  'console_sessions',
  {
    /** The SHA-256 of the cookie's secret, which only the browser has. */
    id: text().primaryKey(),
    /** The identity manager's id of the session. */
    sessionId: text().notNull(),
    userId: text().notNull(),
    user: json<SessionUser>().notNull(),
    mustChangePassword: boolean().notNull(),
    /** The access token and the refresh token, encrypted for `id`. */
    tokens: text().notNull(),
    createdAt: timestamp().notNull(),
    /** When the user last verified its second factor; null for never. */
    verifiedAt: timestamp(),
    /** When a person last used it, accurate to some seconds. */
    usedAt: timestamp().notNull(),
  },
  (table) => [index('console_sessions_user').on(table.userId), index('console_sessions_used_at').on(table.usedAt)],
)
