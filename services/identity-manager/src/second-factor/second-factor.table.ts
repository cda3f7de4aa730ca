import { boolean, index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Authenticators of users (TOTP), one each. */
export const authenticators = table('authenticators', {
  userId: text().primaryKey(),
  /** Encrypted for the user's id. */
  secret: text().notNull(),
  createdAt: timestamp().notNull(),
  /** Null before the first correct code; afterwards each log-in requires a code. */
  confirmedAt: timestamp(),
  /** The step of the last used code: it and earlier ones are void. */
  lastStep: integer().notNull(),
})

/** Codes that replace a lost authenticator, each usable once. */
export const recoveryCodes = table(
  'recovery_codes',
  {
    /** SHA-256 of the code with its user's id: this many random bits need no slow hash. */
    hash: text().primaryKey(),
    userId: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
)

/** Log-ins that passed the password or the provider, and await their code. */
export const loginChallenges = table(
  'login_challenges',
  {
    hash: text().primaryKey(),
    userId: text().notNull(),
    /** Its known device; null for none. */
    device: text(),
    expiresAt: timestamp().notNull(),
    /** Whether the provider authenticated the user, instead of a password. */
    viaProvider: boolean().notNull().default(false),
  },
  (table) => [
    index('login_challenges_expires_at').on(table.expiresAt),
    index('login_challenges_user').on(table.userId),
  ],
)

/** Public keys of passkeys (WebAuthn); devices hold the private keys. Nothing here is secret. */
export const passkeys = table(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text().primaryKey(),
    userId: text().notNull(),
    /** The user's name for it. */
    name: text().notNull(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** Its own signature counter; a counter that goes back reveals a copy. */
    counter: integer().notNull(),
    /** Its transports: JSON. */
    transports: text().notNull(),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp(),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

/** Challenges for passkeys, each usable once. */
export const passkeyChallenges = table(
  'passkey_challenges',
  {
    /** The purpose and the user: one challenge at a time. */
    subject: text().primaryKey(),
    challenge: text().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index('passkey_challenges_expires_at').on(table.expiresAt)],
)
