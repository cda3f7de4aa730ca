import { about, nullable, t, timestamp } from '@bursar/contracts/schema'
import { code, proof, secret } from './logins.model'

const examplePassword = 'seven grey herons at dawn'

/** Bodies of /users/mfa. */
export const Code = t.Object({ code: code() }, { title: 'SecondFactorCode', examples: [{ code: '755224' }] })
export const ProofBody = t.Object(proof, { title: 'SecondFactorProof', examples: [{ code: '755224' }] })
export const PasswordAndProof = t.Object(
  {
    password: t.Optional(
      secret('The password of the calling user; a user without one must have just logged in through the provider'),
    ),
    ...proof,
  },
  { title: 'PasswordAndProof', examples: [{ password: examplePassword, code: '755224' }] },
)

export const SecondFactor = t.Object(
  {
    data: t.Object(
      {
        totp: about('Whether each log-in requires an authenticator’s code', t.Boolean()),
        passkeys: about('The number of its passkeys', t.Integer()),
        confirmedAt: about('When it was set up', nullable(timestamp())),
        recoveryCodesLeft: about('The number of unused recovery codes', t.Integer()),
        hasPassword: about('Whether it has a password, which changes of its second factor require', t.Boolean()),
        required: about('Whether the user must set one up before anything else', t.Boolean()),
      },
      { title: 'SecondFactorState' },
    ),
  },
  { title: 'SecondFactor' },
)
export const Enrolment = t.Object(
  {
    data: t.Object(
      {
        secret: about('The secret to type into an authenticator, base32', t.String()),
        otpauthUri: about('The content of the QR code for an authenticator', t.String()),
      },
      { title: 'EnrolmentSecret' },
    ),
  },
  { title: 'Enrolment' },
)
export const RecoveryCodes = t.Object(
  {
    data: t.Object(
      { recoveryCodes: about('Shown only once; each can be used once', t.Array(t.String())) },
      { title: 'NewRecoveryCodes' },
    ),
  },
  { title: 'RecoveryCodes' },
)
export const Verified = t.Object(
  { data: t.Object({ verifiedAt: about('When the code was right', timestamp()) }, { title: 'VerifiedAt' }) },
  { title: 'SecondFactorVerified' },
)
