import { about, t } from '@bursar/contracts/schema'

import { Assertion } from '../second-factor/passkeys.model'

export { MfaRequired, Tokens } from '@bursar/contracts/identity-manager'

/** The maximum length of a secret. */
const longestSecret = 1024

/** A secret issued earlier. */
export const secret = (description: string) => t.String({ minLength: 1, maxLength: longestSecret, description })

/** Body of POST /auth/login (spec 3, Identity manager). */
export const Login = t.Object(
  {
    email: t.String({ minLength: 1, maxLength: 254, description: 'The address of the user, case-insensitive' }),
    password: secret('The user’s password'),
    deviceToken: t.Optional(
      t.String({
        maxLength: 512,
        description:
          'The x-device-token of an earlier log-in: others’ failures do not count against the device, which has a reserved turn when many log in',
      }),
    ),
  },
  { title: 'Login', examples: [{ email: 'anna.berg@harbour.example', password: 'seven grey herons at dawn' }] },
)

/** Body of POST /auth/refresh and POST /auth/logout (beyond the specification). */
export const RefreshToken = t.Object(
  { refreshToken: secret('The last refresh token') },
  { title: 'RefreshToken', examples: [{ refreshToken: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJkq2V5l0cQx9A' }] },
)

/** Body of POST /auth/mfa/options (beyond the specification). */
export const LoginChallenge = t.Object(
  { challenge: secret('The challenge of the log-in’s answer') },
  { title: 'LoginChallenge', examples: [{ challenge: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk' }] },
)

export const code = () =>
  t.String({ minLength: 6, maxLength: 40, description: 'Six digits of the authenticator, or a recovery code' })

/** A code, or a passkey's signature. */
export const proof = {
  code: t.Optional(code()),
  passkey: t.Optional(about('The signature of a passkey, instead of a code', Assertion)),
}

/** Body of POST /auth/mfa (beyond the specification). */
export const LoginCode = t.Object(
  { challenge: secret('The challenge of the log-in’s answer'), ...proof },
  { title: 'LoginCode', examples: [{ challenge: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk', code: '755224' }] },
)
