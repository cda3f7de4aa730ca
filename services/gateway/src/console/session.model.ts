import { MfaRequired, roleNames } from '@bursar/contracts/identity-manager'
import { nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'

const secret = () => t.String({ minLength: 1, maxLength: 1024 })
const code = () => t.String({ minLength: 6, maxLength: 40 })
/** What a passkey has made or signed: the identity manager reads it. */
const ofPasskey = () => t.Record(t.String(), t.Unknown())
/** One of the two; the identity manager refuses neither and both. */
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

/** What a passkey has to sign. */
export const PasskeyOptions = t.Record(t.String(), t.Unknown())

/** Body of POST /console/api/session/second-factor. */
export const OwnCode = t.Object({ code: code() }, { title: 'ConsoleCode' })

/** Body of POST /console/api/session/verify. */
export const OwnProof = t.Object(proof, { title: 'ConsoleProof' })

/** Body of POST /console/api/session/passkeys. */
export const OwnPasskey = t.Object(
  { name: t.String({ minLength: 1, maxLength: 64 }), response: ofPasskey() },
  { title: 'ConsolePasskey' },
)

/** What a log-in answers where a code is asked for. */
export const CodeAsked = MfaRequired.properties.data

/** Query of DELETE /console/api/session. */
export const LogOutQuery = t.Object({ everywhere: t.Optional(oneOf(['true', 'false'])) })

/** Who is logged in, and what its pages need to know of the deployment. */
export const ConsoleSession = t.Object(
  {
    user: t.Object({
      id: uuid(),
      email: t.String(),
      name: t.String(),
      roles: t.Array(oneOf(roleNames)),
      participantId: nullable(uuid()),
      custodianId: nullable(uuid()),
    }),
    /** Its id at the identity manager: the one among GET /users/sessions that is this one. */
    sessionId: uuid(),
    /** Until then everything but the change of the password is refused. */
    mustChangePassword: t.Boolean(),
    /** Until it has set up a second factor everything else is refused. */
    mustEnrol: t.Boolean(),
    environment: oneOf(['sandbox', 'production']),
    /** When it ends unless it is used, and when it ends anyway. */
    idleUntil: timestamp(),
    endsAt: timestamp(),
    /** What is worth at least so many USD takes two persons; null where one is enough. */
    fourEyesUsd: nullable(t.Integer()),
  },
  { title: 'ConsoleSession' },
)
export type ConsoleSession = Static<typeof ConsoleSession>
