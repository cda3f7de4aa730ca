import { index, table, text, timestamp } from '@bursar/store/schema'

/** `invitation`: the first password. `change`: requested by the user itself. `reset`: the password was forgotten. */
export type TokenKind = 'invitation' | 'change' | 'reset'

/** Tokens that set a password once, by their SHA-256. A used one is deleted. */
export const passwordTokens = table(
  'password_tokens',
  {
    hash: text().primaryKey(),
    kind: text().$type<TokenKind>().notNull(),
    userId: text().notNull(),
    createdAt: timestamp().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index('password_tokens_user').on(table.userId), index('password_tokens_expires_at').on(table.expiresAt)],
)

/**
 * Addresses whose password was forgotten. The request only writes its row, the same for every address; whether there is
 * a user is looked up afterwards.
 */
export const resetRequests = table('reset_requests', {
  id: text().primaryKey(),
  emailKey: text().notNull(),
  createdAt: timestamp().notNull(),
})
