import { about, t, text, timestamp } from '@bursar/contracts/schema'
import { secret } from '../logins/logins.model'

export { SignedOn, SignOnBegun, SignOnChallenged, SignOnState } from '@bursar/contracts/single-sign-on'

/** The maximum length of a provider's query. */
const longestQuery = 8192

/** Body of POST /auth/single-sign-on/begin (beyond the specification). */
export const BeginSignOn = t.Object(
  {
    fresh: t.Optional(
      about('Whether the user must authenticate at the provider again, for important decisions', t.Boolean()),
    ),
  },
  { title: 'BeginSignOn', examples: [{}] },
)

/** Body of POST /auth/single-sign-on/complete (beyond the specification). */
export const CompleteSignOn = t.Object(
  {
    attempt: secret('The `attempt` answered at the beginning'),
    query: about('The query of the provider’s redirect', text(longestQuery)),
  },
  {
    title: 'CompleteSignOn',
    examples: [{ attempt: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk', query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' }],
  },
)

const ProviderAccount = t.Object(
  {
    issuer: about('The provider', t.String()),
    subject: about('The provider’s identifier of the account', t.String()),
    createdAt: about('When it was linked to the user', timestamp()),
    lastUsedAt: about('When it last logged in', timestamp()),
  },
  { title: 'ProviderAccount' },
)
export const ProviderAccounts = t.Object(
  { data: about('One at each provider', t.Array(ProviderAccount)) },
  { title: 'ProviderAccounts' },
)
