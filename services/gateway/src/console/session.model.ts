import { KnownUser, MfaRequired } from '@bursar/contracts/identity-manager'
import { nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { PreferencesModel } from '../desk/desk.model'

const secret = () => t.String({ minLength: 1, maxLength: 1024 })
const code = () => t.String({ minLength: 6, maxLength: 40 })
/** A passkey's answer, validated by the identity manager. */
const ofPasskey = () => t.Record(t.String(), t.Unknown())
/** Exactly one of the two; the identity manager enforces it. */
const proof = { code: t.Optional(code()), passkey: t.Optional(ofPasskey()) }
const email = () => t.String({ minLength: 1, maxLength: 254 })

/** Body of POST /console/api/session. */
export const LogIn = t.Object({ email: email(), password: secret() }, { title: 'ConsoleLogIn' })

/** Body of POST /console/api/session/password. */
export const NewPassword = t.Object(
  { currentPassword: secret(), newPassword: secret() },
  { title: 'ConsoleNewPassword' },
)

/** Body of POST /console/api/session/forgot. */
export const Forgotten = t.Object({ email: email() }, { title: 'ConsoleForgotten' })

/** Body of POST /console/api/session/code: the second step of a log-in. */
export const LogInCode = t.Object({ challenge: secret(), ...proof }, { title: 'ConsoleLogInCode' })

/** Body of POST /console/api/session/code/options. */
export const LogInChallenge = t.Object({ challenge: secret() }, { title: 'ConsoleLogInChallenge' })

/** The answer of the identity manager with the challenge for a passkey. */
export const PasskeyOptions = t.Object({ data: t.Record(t.String(), t.Unknown()) })

/** Body of POST /console/api/session/second-factor. */
export const OwnCode = t.Object({ code: code() }, { title: 'ConsoleCode' })

/** Body of POST /console/api/session/verify. */
export const OwnProof = t.Object(proof, { title: 'ConsoleProof' })

/** Body of POST /console/api/session/passkeys. */
export const OwnPasskey = t.Object(
  { name: t.String({ minLength: 1, maxLength: 64 }), response: ofPasskey() },
  { title: 'ConsolePasskey' },
)

/** The answer of a log-in that requires a code. */
export const CodeAsked = MfaRequired.properties.data

/** Query of DELETE /console/api/session. */
export const LogOutQuery = t.Object({ everywhere: t.Optional(oneOf(['true', 'false'])) })

/** The logged-in user, and the settings that the pages need. */
export const ConsoleSession = t.Object(
  {
    user: t.Pick(KnownUser, ['id', 'email', 'name', 'roles', 'participantId', 'custodianId']),
    /** Its id at the identity manager: identifies it in GET /users/sessions. */
    sessionId: uuid(),
    /** If true, everything but changing the password is refused. */
    mustChangePassword: t.Boolean(),
    /** If true, everything but setting up a second factor is refused. */
    mustEnrol: t.Boolean(),
    environment: oneOf(['sandbox', 'production']),
    /** When it expires if unused, and when it expires at the latest. */
    idleUntil: timestamp(),
    endsAt: timestamp(),
    /** The amount in USD from which two persons approve; null if one is enough. */
    fourEyesUsd: nullable(t.Integer()),
    preferences: PreferencesModel,
  },
  { title: 'ConsoleSession' },
)
export type ConsoleSession = Static<typeof ConsoleSession>
