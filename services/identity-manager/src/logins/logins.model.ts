import { User } from '@bursar/contracts/identity-manager'
import { about, type Static, t } from '@bursar/contracts/schema'

/** Longer ones are no password, whatever they are. */
const longestSecret = 1024

/** A secret that was given before. */
export const secret = (description: string) => t.String({ minLength: 1, maxLength: longestSecret, description })

/** Body of POST /auth/login (spec 3, Identity manager). */
export const Login = t.Object(
  {
    email: t.String({ minLength: 1, maxLength: 254, description: 'The address of the user, in any case' }),
    password: secret('Its password'),
  },
  { title: 'Login', examples: [{ email: 'anna.berg@harbour.example', password: 'seven grey herons at dawn' }] },
)

const Principal = t.Object(
  { id: User.properties.id, email: User.properties.email, name: User.properties.name, roles: User.properties.roles },
  { title: 'Principal' },
)

/** What a login or a refresh gives (spec 3, Identity manager). */
export const Tokens = t.Object(
  {
    data: about(
      'The tokens, and whose they are',
      t.Object(
        {
          accessToken: about('Sent as `Authorization: Bearer …`: a JWT, signed with EdDSA', t.String()),
          refreshToken: about('Gets the next access token, once: POST /auth/refresh', t.String()),
          expiresIn: about('How long the access token lives, in seconds', t.Integer()),
          user: about('The user that is logged in', Principal),
        },
        { title: 'Tokens' },
      ),
    ),
  },
  { title: 'TokensAnswer' },
)
export type Tokens = Static<typeof Tokens>

/** Body of POST /auth/refresh and POST /auth/logout (ours). */
export const RefreshToken = t.Object(
  { refreshToken: secret('The refresh token that was given last') },
  { title: 'RefreshToken', examples: [{ refreshToken: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJkq2V5l0cQx9A' }] },
)
