import { index, primaryKey, table, text, timestamp, uniqueIndex } from '@bursar/store/schema'

/** Links accounts at the provider to users, by the provider's permanent identifier, never by address. */
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

/** Log-ins waiting for the provider's answer. */
export const providerLogIns = table(
  'provider_log_ins',
  {
    /** SHA-256 of the secret that only the browser has. */
    hash: text().primaryKey(),
    /** The data that verifies the provider's answer: JSON, encrypted for the hash. */
    checks: text().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index('provider_log_ins_expires_at').on(table.expiresAt)],
)
