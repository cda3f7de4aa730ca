const verbs = new Map(Object.entries({ POST: 'Create', PUT: 'Change', PATCH: 'Change', DELETE: 'Delete' }))
const own = new Map(
  Object.entries({
    'POST /console/api/session': 'Log in',
    'DELETE /console/api/session': 'Log out',
    'POST /auth/single-sign-on/complete': 'Log in through the provider',
    'DELETE /users/:userId/provider-accounts': 'Unlink the provider accounts of a user',
    'POST /console/api/services/:name/dead-letters/:id/retry': 'Retry dead letter',
    'START after a restore': 'Restored from a backup',
    'PUT /transfer/:transactionId/review': 'Review transfer',
    'POST /users/mfa/totp': 'Start setting up an authenticator',
    'POST /users/mfa/totp/confirm': 'Set up an authenticator',
    'POST /users/mfa/totp/remove': 'Remove the authenticator',
    'POST /users/mfa/recovery-codes': 'Renew recovery codes',
    'POST /users/mfa/verify': 'Show the second factor',
    'POST /users/mfa/passkeys/options': 'Start adding a passkey',
    'POST /users/mfa/passkeys': 'Add a passkey',
    'POST /users/:userId/mfa-reset': 'Remove the second factor of a user',
  }),
)

/** A route in plain words: `Change account`, `Approve frozen deposit`. */
export function actWords(action: string): string {
  const known = own.get(action)
  if (known) return known
  const [method = '', path = ''] = action.split(' ')
  if (!path.startsWith('/')) return 'Unknown route'
  const parts = path.split('/').filter(Boolean)
  const last = parts.at(-1)
  const named = parts.filter((part) => !part.startsWith(':'))
  // `POST /transactions/:id/fail`: the last segment is the verb.
  const isVerb =
    method === 'POST' && parts.length > 1 && parts.at(-2)?.startsWith(':') && last?.startsWith(':') === false
  const isField = method !== 'POST' && last?.startsWith(':') === false
  const words = (
    isVerb
      ? `${last} ${isOneWord(last) ? singular(named.at(-2)) : ''}`
      : `${verbs.get(method) ?? method} ${isField ? named.at(-1) : singular(named.at(-1))}`
  )
    .replaceAll('-', ' ')
    .trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isOneWord = (word = ''): boolean => !word.includes('-')

/** Collections are in the plural: `/accounts`. The last segment of a PUT is a field: `/accounts/:id/status`. */
const singular = (word = ''): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
