import { about, t, text, timestamp } from '@bursar/contracts/schema'
import { secret } from '../logins/logins.model'

export { SignedOn, SignOnBegun, SignOnChallenged, SignOnState } from '@bursar/contracts/single-sign-on'

/** Longer ones are none that a provider sends a browser with. */
const longestQuery = 8192

/** Body of POST /auth/single-sign-on/begin (ours). */
export const BeginSignOn = t.Object(
  {
    fresh: t.Optional(
      about('Whether the user is to show at the provider once more who it is: for decisions of weight', t.Boolean()),
    ),
  },
  { title: 'BeginSignOn', examples: [{}] },
)

/** Body of POST /auth/single-sign-on/complete (ours). */
export const CompleteSignOn = t.Object(
  {
    attempt: secret('What the beginning has answered'),
    query: about('The query that the provider has sent the browser back with', text(longestQuery)),
  },
  {
    title: 'CompleteSignOn',
    examples: [{ attempt: '6vJrB0ZbC0vQ3yq1o2m4mS0mZl1W8yJk', query: 'code=SplxlOBeZQQYbYS6WxSbIA&state=af0ifjsldkj' }],
  },
)

const ProviderAccount = t.Object(
  {
    issuer: about('The provider', t.String()),
    subject: about('Its name for the account', t.String()),
    createdAt: about('Since when it is this user’s', timestamp()),
    lastUsedAt: about('When it last logged in', timestamp()),
  },
  { title: 'ProviderAccount' },
)
export const ProviderAccounts = t.Object(
  { data: about('One at each provider', t.Array(ProviderAccount)) },
  { title: 'ProviderAccounts' },
)
