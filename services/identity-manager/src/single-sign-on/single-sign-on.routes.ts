import { t } from '@bursar/contracts/schema'
import { Deleted, deleted, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { withSecret } from '../done'
import { fail } from '../errors'
import { originOf } from '../logins/caller-address'
import { challengeData, tokenData } from '../logins/token-data'
import { accountsOf, unlinkAccountsOf } from '../provider-accounts/provider-accounts'
import { endSessionsOf } from '../sessions/sessions'
import { managedUser, ownOrManagedUser, scopeOf } from '../users/scope'
import { ByUserId } from '../users/users.model'
import { logInSeconds } from './log-ins'
import { beginSignOn, completeSignOn } from './sign-on'
import {
  BeginSignOn,
  CompleteSignOn,
  ProviderAccounts,
  SignedOn,
  SignOnBegun,
  SignOnChallenged,
  SignOnState,
} from './single-sign-on.model'

const away = { 503: 'The provider cannot be asked right now' }
const off = { 404: 'There is no provider' }

/**
 * Not in the specification: users log in through the deployment's identity provider (OpenID Connect: code flow with
 * PKCE).
 */
export const singleSignOnRoutes = (deps: IdentityManagerDeps) =>
  new Elysia().use(signOnRoutes(deps)).use(accountRoutes(deps))

function signOnRoutes(deps: IdentityManagerDeps) {
  const { identity, now } = deps
  const provider = () => {
    if (deps.provider) return deps.provider
    throw fail('NOT_FOUND', { message: 'There is no provider to log in through: log in with your password' })
  }
  return new Elysia({ prefix: '/auth/single-sign-on', tags: ['Single sign-on'] })
    .get('/', () => ({ data: deps.provider && { name: deps.provider.settings.name } }), {
      response: { 200: response(SignOnState) },
      detail: operation('getSingleSignOn', 'Get the provider that users may log in through', {
        description: 'Null if they log in by password only.',
      }),
    })
    .post(
      '/begin',
      async ({ body: { fresh = false } }) => {
        const begun = await beginSignOn(deps, provider(), fresh)
        return { data: { ...begun, expiresIn: logInSeconds } }
      },
      {
        body: BeginSignOn,
        response: { 200: response(SignOnBegun) },
        detail: operation('beginSingleSignOn', 'Begin to log in through the provider', {
          description:
            'Send the browser to `url`, and keep `attempt` in the browser, out of reach of other sites: in a cookie. ' +
            'The provider redirects the browser to the redirect URL of the settings.',
          ...withSecret,
          ...off,
          ...away,
        }),
      },
    )
    .post(
      '/complete',
      async ({ request, server, set, body }) => {
        const origin = await originOf(identity, { request, server })
        const { result, signOn } = await completeSignOn(deps, provider(), body, origin)
        if ('challenge' in result) return { data: { ...challengeData(result), signOn } }
        set.headers['x-device-token'] = deps.knownDevices.issue(result.user.id, now())
        return { data: { ...(await tokenData(deps, result)), signOn } }
      },
      {
        body: CompleteSignOn,
        response: { 200: response(t.Union([SignedOn, SignOnChallenged])) },
        detail: operation('completeSingleSignOn', 'Log in through the provider', {
          description:
            'Takes the query of the provider’s redirect, once. The user gets the roles of its token. ' +
            'If the provider verified no second factor, and the user has one here, POST /auth/mfa takes it.',
          ...withSecret,
          401: 'The provider’s answer does not match this log-in, or its account is refused',
          ...off,
          429: 'Five attempts have failed within five minutes from this address',
          ...away,
        }),
      },
    )
}

/** The provider accounts of a user, for itself and its administrators. */
function accountRoutes({ store, identity, now }: IdentityManagerDeps) {
  return new Elysia({ prefix: '/users/:userId/provider-accounts', tags: ['Single sign-on'] })
    .get(
      '/',
      async ({ request, params }) => {
        const scope = await scopeOf(identity, request)
        const { id } = await ownOrManagedUser(store.read, scope, params.userId)
        const accounts = await accountsOf(store.read, id)
        return {
          data: accounts.map(({ issuer, subject, createdAt, lastUsedAt }) => ({
            issuer,
            subject,
            createdAt: createdAt.toISOString(),
            lastUsedAt: lastUsedAt.toISOString(),
          })),
        }
      },
      {
        params: ByUserId,
        response: { 200: response(ProviderAccounts) },
        detail: operation('listProviderAccounts', 'List a user’s accounts at providers', {
          404: 'There is no such user for the caller',
        }),
      },
    )
    .delete(
      '/',
      async ({ request, params }) => {
        const scope = await scopeOf(identity, request)
        await store.commit(async (tx) => {
          const user = await managedUser(tx, scope, params.userId)
          await unlinkAccountsOf(tx, user.id)
          await endSessionsOf(tx, user.id, 'user changed', now())
        })
        return deleted('The accounts no longer log in as this user')
      },
      {
        params: ByUserId,
        response: { 200: response(Deleted) },
        detail: operation('removeProviderAccounts', 'Unlink a user’s accounts at providers', {
          description:
            'Ends its sessions. The next log-in through the provider may link one again, as the settings allow. For the user’s administrators.',
          404: 'There is no such user for the caller',
        }),
      },
    )
}
