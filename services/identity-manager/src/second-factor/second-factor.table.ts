import { boolean, index, integer, table, text, timestamp } from '@bursar/store/schema'

/** Authenticators of users (TOTP), one each. */
export const authenticators = table('authenticators', {
  userId: text().primaryKey(),
  /** Sealed for the user's id. */
  secret: text().notNull(),
  createdAt: timestamp().notNull(),
  /** Null until a first code was right: then it is asked for at each log-in. */
  confirmedAt: timestamp(),
  /** The step of the last code that was taken: it and those before are used. */
  lastStep: integer().notNull(),
})

/** What stands in for a lost authenticator, each once. */
export const recoveryCodes = table(
  'recovery_codes',
  {
    /** SHA-256 of the code with its user's id: so many random bits need no slow hash. */
    hash: text().primaryKey(),
    userId: text().notNull(),
    createdAt: timestamp().notNull(),
  },
  (table) => [index('recovery_codes_user').on(table.userId)],
)

/** Log-ins whose password was right, or that came through the provider, and whose code is waited for. */
export const loginChallenges = table(
  'login_challenges',
  {
    hash: text().primaryKey(),
    userId: text().notNull(),
    /** The password that was right: another one since ends the challenge. */
    passwordHash: text().notNull(),
    /** The known device that it comes from; null for none. */
    device: text(),
    expiresAt: timestamp().notNull(),
    /** Whether the provider has said who it is, in place of a password. */
    viaProvider: boolean().notNull().default(false),
  },
  (table) => [
    index('login_challenges_expires_at').on(table.expiresAt),
    index('login_challenges_user').on(table.userId),
  ],
)

/** Public keys of users that a device or a password manager keeps the private part of (WebAuthn). Nothing here is secret. */
export const passkeys = table(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text().primaryKey(),
    userId: text().notNull(),
    /** That the user knows it by. */
    name: text().notNull(),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    /** How often it has signed, as it says itself; one that goes back is a copy. */
    counter: integer().notNull(),
    /** How a browser reaches it: JSON. */
    transports: text().notNull(),
    createdAt: timestamp().notNull(),
    lastUsedAt: timestamp(),
  },
  (table) => [index('passkeys_user').on(table.userId)],
)

/** What a passkey has to sign, each once. */
export const passkeyChallenges = table(
  'passkey_challenges',
  {
    /** What it is for, and whose: one at a time. */
    subject: text().primaryKey(),
    challenge: text().notNull(),
    expiresAt: timestamp().notNull(),
  },
  (table) => [index('passkey_challenges_expires_at').on(table.expiresAt)],
)
