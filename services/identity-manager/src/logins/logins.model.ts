import { about, t } from '@bursar/contracts/schema'

import { Assertion } from '../second-factor/passkeys.model'

export { MfaRequired, Tokens } from '@bursar/contracts/identity-manager'

/** Longer ones are no password, whatever they are. */
const longestSecret = 1024

/** A secret that was given before. */
export const secret = (description: string) => t.String({ minLength: 1, maxLength: longestSecret, description })

/** Body of POST /auth/login (spec 3, Identity manager). */
export const Login = t.Object(
  {
    email: t.String({ minLength: 1, maxLength: 254, description: 'The address of the user, in any case' }),
    password: secret('Its password'),
    deviceToken: t.Optional(
      t.String({
        maxLength: 512,
        description:
          'The x-device-token of an earlier log-in: failures of others do not count against its device, which is kept a turn where many log in',
      }),
    ),
  },
  { title: 'Login', examples: [{ email: 'anna.berg@harbour.example', password: 'seven grey herons at dawn' }] },
)

/** Body of POST /auth/refresh and POST /auth/logout (ours). */
export const RefreshToken = t.Object(
  { refreshToken: secret('The refresh token that was given last') },
  { title: 'RefreshToken', examples: [{ refreshToken: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJkq2V5l0cQx9A' }] },
)

/** Body of POST /auth/mfa/options (ours). */
export const LoginChallenge = t.Object(
  { challenge: secret('What the log-in has answered') },
  { title: 'LoginChallenge', examples: [{ challenge: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk' }] },
)

/** Body of POST /auth/mfa (ours). */
export const LoginCode = t.Object(
  {
    challenge: secret('What the log-in has answered'),
    code: t.Optional(
      t.String({ minLength: 6, maxLength: 40, description: 'Six digits of the authenticator, or a recovery code' }),
    ),
    passkey: t.Optional(about('What a passkey has signed, in place of a code', Assertion)),
  },
  { title: 'LoginCode', examples: [{ challenge: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk', code: '755224' }] },
)
