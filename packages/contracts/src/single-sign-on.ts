import { MfaRequired, roleNames, Tokens } from './identity-manager'
import { about, nullable, oneOf, type Static, t, timestamp, uuid } from './schema'

/** The outcome of a log-in through the provider, for the audit trail. */
export const SignOn = t.Object(
  {
    userId: uuid(),
    account: about(
      'Whether the account at the provider was this user’s (`known`), became it by its address (`linked`), or made it (`created`)',
      oneOf(['known', 'linked', 'created']),
    ),
    rolesBefore: about('Its roles until now', t.Array(oneOf(roleNames))),
    roles: about('Its roles, as the provider says', t.Array(oneOf(roleNames))),
    secondFactorAt: about(
      'When the provider has seen a second factor, 1970 where it does not say when; null for none',
      nullable(timestamp()),
    ),
  },
  { title: 'SignOn' },
)
export type SignOn = Static<typeof SignOn>

/** The answer to a log-in through the provider (single sign-on). */
export const SignedOn = t.Object(
  {
    data: t.Object(
      { ...Tokens.properties.data.properties, signOn: about('What has become of the log-in', SignOn) },
      { title: 'SignedOnTokens' },
    ),
  },
  { title: 'SignedOn' },
)

/** The same in place of tokens, where the provider has seen no second factor and the user has one here. */
export const SignOnChallenged = t.Object(
  {
    data: t.Object(
      { ...MfaRequired.properties.data.properties, signOn: about('What has become of the log-in', SignOn) },
      { title: 'SignOnChallenge' },
    ),
  },
  { title: 'SignOnChallenged' },
)

/** Where a browser goes to log in through the provider, and what it brings back with the provider's answer. */
export const SignOnBegun = t.Object(
  {
    data: t.Object(
      {
        url: about('Where the browser goes', t.String()),
        attempt: about('Known to this browser alone; sent with what the provider answers', t.String()),
        expiresIn: about('For how long, in seconds', t.Integer()),
      },
      { title: 'SignOnAttempt' },
    ),
  },
  { title: 'SignOnBegun' },
)

/** The account of a refused log-in through the provider: `details` of its 401. */
export const SignOnRefused = t.Object({
  issuer: t.String(),
  subject: t.String(),
  email: nullable(t.String()),
  /** The user that the account is, if it is one. */
  userId: t.Optional(uuid()),
  /** The user's roles until now, where the provider has taken them all. */
  rolesBefore: t.Optional(t.Array(oneOf(roleNames))),
})
export type SignOnRefused = Static<typeof SignOnRefused>

const SignOnOffer = t.Object({ name: about('What people call the provider', t.String()) }, { title: 'SignOnOffer' })
/** The provider that users may log in through; null for none. */
export const SignOnState = t.Object({ data: nullable(SignOnOffer) }, { title: 'SignOnState' })
