import { index, primaryKey, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Whose account at the provider is whose here: by the provider's own, unchanging name for it, never by an address. */
export const providerAccounts = table(
  'provider_accounts',
  {
    issuer: text().notNull(),
    subject: text().notNull(),
    userId: text().notNull(),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    uniqueIndex('provider_accounts_user').on(table.userId, table.issuer),
  ],
)

/** Log-ins whose browser is at the provider. */
export const providerLogIns = table(
  'provider_log_ins',
  {
    /** SHA-256 of what the browser alone has. */
    hash: text().primaryKey(),
    /** What the provider's answer is checked by: JSON, sealed for the hash. */
    checks: text().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index('provider_log_ins_expires_at').on(table.expiresAt)],
)
