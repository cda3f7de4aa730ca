import { about, nullable, t, timestamp } from '@bursar/contracts/schema'
import { Assertion } from '../second-factor/passkeys.model'
import { secret } from './logins.model'

const code = () =>
  t.String({ minLength: 6, maxLength: 40, description: 'Six digits of the authenticator, or a recovery code' })
const examplePassword = 'seven grey herons at dawn'

/** Bodies of /users/mfa. */
export const Code = t.Object({ code: code() }, { title: 'SecondFactorCode', examples: [{ code: '755224' }] })
const proof = {
  code: t.Optional(code()),
  passkey: t.Optional(about('What a passkey has signed, in place of a code', Assertion)),
}
export const ProofBody = t.Object(proof, { title: 'SecondFactorProof', examples: [{ code: '755224' }] })
export const PasswordAndProof = t.Object(
  {
    password: t.Optional(
      secret('The password of the user that calls; one that has none has logged in through the provider a moment ago'),
    ),
    ...proof,
  },
  { title: 'PasswordAndProof', examples: [{ password: examplePassword, code: '755224' }] },
)

export const SecondFactor = t.Object(
  {
    data: t.Object(
      {
        totp: about('Whether an authenticator is asked for its code at each log-in', t.Boolean()),
        passkeys: about('How many passkeys it has', t.Integer()),
        confirmedAt: about('Since when', nullable(timestamp())),
        recoveryCodesLeft: about('How many codes for its loss are unused', t.Integer()),
        hasPassword: about('Whether it has a password, which what it does to its second factor takes', t.Boolean()),
        required: about('Whether the user must have one, and can do nothing else before', t.Boolean()),
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
        secret: about('For typing into an authenticator: base32', t.String()),
        otpauthUri: about('For a picture that an authenticator reads', t.String()),
      },
      { title: 'EnrolmentSecret' },
    ),
  },
  { title: 'Enrolment' },
)
export const RecoveryCodes = t.Object(
  {
    data: t.Object(
      { recoveryCodes: about('Shown this once; each is good for one use', t.Array(t.String())) },
      { title: 'NewRecoveryCodes' },
    ),
  },
  { title: 'RecoveryCodes' },
)
export const Verified = t.Object(
  { data: t.Object({ verifiedAt: about('When the code was right', timestamp()) }, { title: 'VerifiedAt' }) },
  { title: 'SecondFactorVerified' },
)
