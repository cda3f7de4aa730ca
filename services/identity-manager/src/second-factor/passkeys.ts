import { messageOf } from '@bursar/contracts/log'
import type { Static } from '@bursar/contracts/schema'
import {
  and,
  byKey,
  deleteBy,
  eq,
  insertInto,
  param,
  prepared,
  rowBy,
  rowsBy,
  type Tx,
  upsertInto,
} from '@bursar/store'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { deleteSome } from '../delete-some'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { isInTime } from '../secret-tokens'
import type { UserRow } from '../users/users'
import type { Assertion, Attestation } from './passkeys.model'
import { passkeyChallenges, passkeys } from './second-factor.table'

type PasskeyRow = typeof passkeys.$inferSelect
type Deps = Pick<IdentityManagerDeps, 'store' | 'config' | 'now' | 'log'>

const mostPasskeys = 10
/** As long as a log-in waits for its second factor. */
const goodForMs = 5 * 60_000
/** EdDSA, ES256, RS256. */
const algorithms = [-8, -7, -257]

/** The purpose of a challenge: a signature for one purpose is not valid for another. */
export const passkeySubject = {
  register: (userId: string) => `register ${userId}`,
  verify: (userId: string) => `verify ${userId}`,
  login: (challengeHash: string) => `login ${challengeHash}`,
}

/** The options for creating a passkey, with a challenge for `beginAdding`. Fails (409) for a user that has ten. */
export async function registrationOptions({ store, config }: Pick<Deps, 'store' | 'config'>, user: UserRow) {
  const known = await passkeysOf(store.read, user.id)
  if (known.length >= mostPasskeys) throw fail('CONFLICT', { message: `A user has at most ${mostPasskeys} passkeys` })
  return await generateRegistrationOptions({
    rpName: 'Bursar',
    rpID: config.passkeys.rpId,
    userID: new Uint8Array(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    timeout: goodForMs,
    attestationType: 'none',
    excludeCredentials: known.map(shown),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
  })
}

/** Begins the adding of a passkey: its answer counts from now on. */
export const beginAdding = (tx: Tx, userId: string, challenge: string, now: Date): Promise<unknown> =>
  keepChallenge(tx, passkeySubject.register(userId), challenge, now)

/** A new passkey, and the challenge that it was created for. */
interface Created {
  row: PasskeyRow
  challenge: string
}

/** The passkey that a browser created for the last challenge, which `addPasskey` uses up. Fails (400) for any other. */
export async function verifiedPasskey(
  { store, config, now, log }: Deps,
  user: Pick<UserRow, 'id'>,
  { name, response }: { name: string; response: Static<typeof Attestation> },
): Promise<Created> {
  const subject = passkeySubject.register(user.id)
  const expectedChallenge = challengeIn(await challengeOf(store.read).execute({ subject }), now())
  if (expectedChallenge === null) throw notVerified()
  const made = await verifyRegistrationResponse({
    response: response as Parameters<typeof verifyRegistrationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: [...config.passkeys.origins],
    expectedRPID: config.passkeys.rpId,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(refusedBecause(log, user.id))
  if (!made?.verified) {
    await store.commit((tx) => deleteChallenge(tx).execute({ subject }))
    throw notVerified()
  }
  const { id, publicKey, counter, transports = [] } = made.registrationInfo.credential
  const row: PasskeyRow = {
    id,
    userId: user.id,
    name,
    publicKey: Buffer.from(publicKey).toString('base64url'),
    counter,
    transports: JSON.stringify(transports),
    createdAt: now(),
    lastUsedAt: null,
  }
  return { row, challenge: expectedChallenge }
}

/**
 * The library throws for any invalid input, which is the caller's error: also for a counter that went back, and for another page
 * than PUBLIC_URL, which none but the log would tell.
 */
const refusedBecause =
  (log: IdentityManagerDeps['log'], user: string) =>
  (error: unknown): null => {
    log.info({ user, reason: messageOf(error) }, 'A passkey was refused')
    return null
  }

const notVerified = () => fail('INVALID_REQUEST', { message: 'The passkey could not be verified: begin again' })

/** Fails (400) when its adding was ended meanwhile, (409) for one that is already registered. */
export async function addPasskey(tx: Tx, { row, challenge }: Created): Promise<void> {
  const [begun] = await deleteChallenge(tx).execute({ subject: passkeySubject.register(row.userId) })
  if (begun?.challenge !== challenge) throw notVerified()
  if (await byId(tx, row.id)) throw fail('CONFLICT', { message: 'This passkey is already registered' })
  await insertPasskey(tx).execute(row)
}

/** Ends the adding of a passkey that was begun. */
export const endAdding = (tx: Tx, userId: string): Promise<unknown> =>
  deleteChallenge(tx).execute({ subject: passkeySubject.register(userId) })

/** The options for a passkey's signature. Fails (409) for a user without a passkey. */
export async function assertionOptions({ store, config, now }: Deps, userId: string, subject: string) {
  const known = await passkeysOf(store.read, userId)
  if (known.length === 0) throw fail('CONFLICT', { message: 'The user has no passkey' })
  const options = await generateAuthenticationOptions({
    rpID: config.passkeys.rpId,
    allowCredentials: known.map(shown),
    timeout: goodForMs,
    userVerification: 'required',
  })
  await store.commit((tx) => keepChallenge(tx, subject, options.challenge, now()))
  return options
}

/** A passkey that has signed, with its old and new counter. */
export interface Signed {
  id: string
  before: number
  counter: number
}

/** The passkey of this user that has signed the challenge of this subject; null for none. Uses the challenge up. */
export async function signedBy(
  { store, config, now, log }: Deps,
  { userId, subject }: { userId: string; subject: string },
  response: Static<typeof Assertion>,
): Promise<Signed | null> {
  // In its own commit: the challenge is used up whatever the outcome.
  const taken = await store.commit((tx) => deleteChallenge(tx).execute({ subject }))
  const expectedChallenge = challengeIn(taken, now())
  const row = await byId(store.read, response.id)
  if (expectedChallenge === null || row?.userId !== userId) return null
  const found = await verifyAuthenticationResponse({
    response: response as Parameters<typeof verifyAuthenticationResponse>[0]['response'],
    expectedChallenge,
    expectedOrigin: [...config.passkeys.origins],
    expectedRPID: config.passkeys.rpId,
    credential: {
      ...shown(row),
      publicKey: new Uint8Array(Buffer.from(row.publicKey, 'base64url')),
      counter: row.counter,
    },
    requireUserVerification: true,
  }).catch(refusedBecause(log, userId))
  if (!found?.verified) return null
  return { id: row.id, before: row.counter, counter: found.authenticationInfo.newCounter }
}

/** Returns false when the passkey was removed, or has signed again, meanwhile. */
export async function noteSigned(tx: Tx, { id, before, counter }: Signed, now: Date): Promise<boolean> {
  return (await updateCounter(tx).execute({ id, before, counter, now })).length > 0
}

/** Fails (404) for one that is not the user's. */
export async function removePasskey(tx: Tx, userId: string, id: string): Promise<void> {
  const row = await byId(tx, id)
  if (row?.userId !== userId) throw fail('NOT_FOUND', { message: 'There is no such passkey' })
  await deletePasskey(tx).execute({ id })
}

export const removePasskeysOf = (tx: Tx, userId: string): Promise<unknown> => deleteOfUser(tx).execute({ userId })
export const passkeysOf = rowsBy(passkeys, 'userId', 'createdAt')

/** Deletes expired challenges. */
export const deleteOldPasskeyChallenges = deleteSome(passkeyChallenges, {
  key: passkeyChallenges.subject,
  at: passkeyChallenges.expiresAt,
})

const shown = ({ id, transports }: PasskeyRow) => ({ id, transports: JSON.parse(transports) as string[] })

const keepChallenge = (tx: Tx, subject: string, challenge: string, now: Date): Promise<unknown> =>
  putChallenge(tx).execute({ subject, challenge, expiresAt: new Date(now.getTime() + goodForMs) })

/** Null for none, and for one that has expired. */
const challengeIn = ([row]: readonly { challenge: string; expiresAt: Date }[], now: Date): string | null =>
  row && isInTime(row, 2 * goodForMs, now) ? row.challenge : null

const byId = rowBy(passkeys, 'id')
const insertPasskey = insertInto(passkeys)
const deletePasskey = deleteBy(passkeys, 'id')
const deleteOfUser = deleteBy(passkeys, 'userId')
const updateCounter = prepared((db) =>
  db
    .update(passkeys)
    .set({ counter: param('counter'), lastUsedAt: param('now') })
    .where(and(eq(passkeys.id, param('id')), eq(passkeys.counter, param('before'))))
    .returning({ id: passkeys.id }),
)
const putChallenge = upsertInto(passkeyChallenges, ['subject'], ['challenge', 'expiresAt'])
const challengeOf = byKey(passkeyChallenges, 'subject')
const deleteChallenge = prepared((db) =>
  db
    .delete(passkeyChallenges)
    .where(eq(passkeyChallenges.subject, param('subject')))
    .returning({ challenge: passkeyChallenges.challenge, expiresAt: passkeyChallenges.expiresAt }),
)
