import type { SignOn } from '@bursar/contracts/single-sign-on'
import { AppError } from '@bursar/http'
import type { IdentityManagerDeps } from '../deps'
import { fail } from '../errors'
import { addressOf, countAttempt, forgive } from '../logins/attempts'
import { beginOrChallenge, type Challenged } from '../logins/begin'
import type { LoggedIn } from '../sessions/refresh'
import type { Origin } from '../sessions/sessions'
import { admit, type Refusal, type Refused } from './admit'
import { type Person, personOf } from './claims'
import { keepLogIn, takeLogIn } from './log-ins'
import { type Claims, newChecks, type Provider } from './provider'

type SignOnDeps = Pick<IdentityManagerDeps, 'store' | 'config' | 'seal' | 'now'>

/**
 * Begins a log-in through the provider: the URL for the browser, and the secret it brings back. Fails with 503 while
 * the provider is unreachable.
 */
export async function beginSignOn(
  { store, seal, now }: SignOnDeps,
  provider: Provider,
  fresh: boolean,
): Promise<{ url: string; attempt: string }> {
  const checks = newChecks(fresh)
  const url = await provider.urlFor(checks)
  return { url, attempt: await store.commit((tx) => keepLogIn(tx, seal, checks, now())) }
}

/** What the browser brings back. */
export interface Returned {
  attempt: string
  query: string
}

/**
 * Ends a log-in through the provider: a session, or a challenge when a code is required. Fails with 401 for an answer
 * that is not this log-in's and for a person who is refused, with 503 while the provider is unreachable, with 429 after
 * five failures from an address.
 */
export async function completeSignOn(
  deps: SignOnDeps,
  provider: Provider,
  returned: Returned,
  origin: Origin,
): Promise<{ result: LoggedIn | Challenged; signOn: SignOn }> {
  const { store, now } = deps
  const { settings } = provider
  const attempt = await store.commit((tx) => countAttempt(tx, addressOf('login', origin.address), now()))
  const person = personOf(await verified(deps, provider, returned, attempt), settings, now())
  const ended = await store.commit(async (tx) => {
    const admitted = await admit(tx, deps, settings, person)
    if ('why' in admitted) return admitted
    await forgive(tx, attempt)
    const { user, ...known } = admitted
    const { secondFactorAt } = person
    const result = await beginOrChallenge(tx, deps, user, { origin, device: null, viaProvider: true, secondFactorAt })
    const at = secondFactorAt?.toISOString() ?? null
    return { result, signOn: { ...known, userId: user.id, roles: user.roles, secondFactorAt: at } }
  })
  if ('why' in ended) throw refusal(ended, person, settings.name)
  return ended
}

/** A log-in is redeemed once, whatever the outcome. An unreachable provider does not count as the caller's failure. */
async function verified(
  { store, seal, now }: SignOnDeps,
  provider: Provider,
  { attempt, query }: Returned,
  counted: string,
): Promise<Claims> {
  const checks = await store.commit((tx) => takeLogIn(tx, seal, attempt, now()))
  return await provider.claimsOf(query, checks).catch(async (error: unknown) => {
    if (error instanceof AppError && error.status === 503) await store.commit((tx) => forgive(tx, counted))
    throw error
  })
}

/** The person has authenticated at the provider and may know the reason. */
function refusal({ why, ...known }: Refused, { account, email }: Person, name: string): AppError {
  const messages: Record<Refusal, string> = {
    'no user': `No user here logs in by your account at ${name}: ask an administrator`,
    'no role': `Your account at ${name} has no role here: ask an administrator`,
    'last administrator': `Your account at ${name} is not an administrator’s, and you are the last one here: log in with your password, and create another`,
  }
  return fail('UNAUTHORIZED', { message: messages[why], details: { ...account, email, ...known } })
}
