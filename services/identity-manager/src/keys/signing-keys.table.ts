import { table, text, timestamp } from '@bursar/store/schema'

/** `next` is published before it signs, so that verifiers know it in time; `retired` still verifies what it signed. */
type KeyStatus = 'next' | 'signing' | 'retired'

/** Ed25519 keys of access tokens. */
export const signingKeys = table('signing_keys', {
  kid: text().primaryKey(),
  status: text().$type<KeyStatus>().notNull(),
  /** The public key: `x` of its JWK. */
  publicKey: text().notNull(),
  /** The JWK with the private key, encrypted. */
  privateKey: text().notNull(),
  createdAt: timestamp().notNull(),
  /** When it began to sign. */
  activatedAt: timestamp(),
  retiredAt: timestamp(),
})
