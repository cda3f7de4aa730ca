import { boolean, index, table, text, timestamp } from '@bursar/store/schema'

/** Why a session ended early. */
export type EndReason =
  | 'logout'
  | 'reuse'
  | 'password'
  | 'user changed'
  | 'user deleted'
  | 'revoked'
  | 'too many'
  | 'restored'
  | 'institution ended'

/** Logins. An ended session is kept until its maximum life is over. Ids are UUID v7. */
export const sessions = table(
  'sessions',
  {
    id: text().primaryKey(),
    userId: text().notNull(),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
    /** When the last of its access tokens expires. */
    accessUntil: timestamp().notNull(),
    /** The client address of the login. */
    address: text(),
    userAgent: text(),
    endedAt: timestamp(),
    endReason: text().$type<EndReason>(),
    /** Whether the user logged in through the provider (single sign-on). */
    viaProvider: boolean().notNull().default(false),
    /** When the provider verified a second factor, which then replaces one of our own; null for none. */
    secondFactorAt: timestamp(),
  },
  (table) => [index('sessions_user').on(table.userId, table.id), index('sessions_expires_at').on(table.expiresAt)],
)

/** The refresh tokens of a session, by their SHA-256: the last one, and all that it replaced. */
export const refreshTokens = table(
  'refresh_tokens',
  {
    hash: text().primaryKey(),
    sessionId: text().notNull(),
    issuedAt: timestamp().notNull(),
    /** When it expires unused. */
    expiresAt: timestamp().notNull(),
    usedAt: timestamp(),
  },
  (table) => [
    index('refresh_tokens_session').on(table.sessionId),
    index('refresh_tokens_expires_at').on(table.expiresAt),
  ],
)

/** Sessions that ended while their access tokens may be valid. */
export const revocations = table(
  'revocations',
  {
    /** The session's id. */
    id: text().primaryKey(),
    userId: text().notNull(),
    revokedAt: timestamp().notNull(),
    until: timestamp().notNull(),
  },
  (table) => [index('revocations_until').on(table.until)],
)
