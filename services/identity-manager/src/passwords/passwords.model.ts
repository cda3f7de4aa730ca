import { emailAddress } from '@bursar/contracts/identity-manager'
import { about, t, text, timestamp } from '@bursar/contracts/schema'
import { secret } from '../logins/logins.model'

const newPassword = () => secret('The new password: 12 to 128 characters, and none of the commonest')
const example = 'seven grey herons at dawn'
const exampleToken = 'u0Tz4vC1mJ8eWq2bYh6sKx9rLd3fGn5pAi7oVt0cEwM'

/** Body of POST /auth/change-password/:changePasswordToken (spec 3, Identity manager). */
export const PasswordChange = t.Object(
  {
    password: newPassword(),
    currentPassword: t.Optional(secret('The present password; required unless the token came with an invitation')),
  },
  { title: 'PasswordChange', examples: [{ password: example }] },
)

/** Body of POST /auth/reset-password/:resetPasswordToken (spec 3, Identity manager). */
export const PasswordReset = t.Object(
  { password: newPassword() },
  { title: 'PasswordReset', examples: [{ password: example }] },
)

/** Body of POST /auth/forgot-password (spec 3, Identity manager). */
export const Forgotten = t.Object(
  { email: emailAddress() },
  { title: 'Forgotten', examples: [{ email: 'anna.berg@harbour.example' }] },
)

/** Body of POST /users/register (spec 3, Identity manager). */
export const Registration = t.Object(
  {
    email: emailAddress(),
    name: text(255),
    password: newPassword(),
    invitationToken: secret('The token of the invitation mail'),
  },
  {
    title: 'Registration',
    examples: [
      { email: 'anna.berg@harbour.example', name: 'Anna Berg', password: example, invitationToken: exampleToken },
    ],
  },
)

const token = (description: string) => ({ ...secret(description), examples: [exampleToken] })
export const ByChangeToken = t.Object({
  changePasswordToken: token('The token of an invitation, or of POST /users/change-password-token'),
})
export const ByResetToken = t.Object({ resetPasswordToken: token('The token of the mail') })

/** The answer of POST /users/change-password-token (beyond the specification). */
export const ChangeToken = t.Object(
  {
    changePasswordToken: about(
      'The token for POST /auth/change-password/{changePasswordToken}, usable once',
      t.String(),
    ),
    expiresAt: about('When it expires', timestamp()),
  },
  { title: 'ChangeToken' },
)
