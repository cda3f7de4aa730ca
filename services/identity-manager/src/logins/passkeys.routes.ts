import { needsSecret, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { Done, done, withSecret } from '../done'
import { deleteUnneededCodes, endBegun, hasSecondFactor, newRecoveryCodes } from '../second-factor/authenticators'
import {
  addPasskey,
  assertionOptions,
  beginAdding,
  passkeySubject,
  passkeysOf,
  registrationOptions,
  removePasskey,
  verifiedPasskey,
} from '../second-factor/passkeys'
import { ByPasskeyId, NewPasskey, PasskeyAdded, PasskeyOptions, Passkeys } from '../second-factor/passkeys.model'
import { PasswordAndProof } from './second-factor.model'
import { callerOf } from './second-factor.routes'
import { withOwnProof } from './with-own-proof'

const noUser = { 401: 'The request has no user' }
const wrong = {
  401: 'The request has no user, or the password, the code or the passkey is wrong',
  429: 'Five attempts have failed within five minutes',
}

type Row = Awaited<ReturnType<typeof passkeysOf>>[number]
const shown = ({ id, name, createdAt, lastUsedAt }: Row) => ({
  id,
  name,
  createdAt: createdAt.toISOString(),
  lastUsedAt: lastUsedAt?.toISOString() ?? null,
})

/** Not in the specification: the passkeys of the calling user. */
export const passkeyRoutes = (deps: IdentityManagerDeps) => new Elysia().use(ownRoutes(deps)).use(addRoutes(deps))

function ownRoutes(deps: IdentityManagerDeps) {
  const { store } = deps
  return new Elysia({ prefix: '/users', tags: ['Second factor'] })
    .get(
      '/mfa/passkeys',
      async ({ request }) => {
        const user = await callerOf(deps, request)
        return { data: (await passkeysOf(store.read, user.id)).map(shown) }
      },
      {
        response: { 200: response(Passkeys) },
        detail: operation('listPasskeys', 'List the passkeys of the caller', { ...needsSecret, ...noUser }),
      },
    )
    .post(
      '/mfa/passkeys/:passkeyId/remove',
      async ({ request, params: { passkeyId }, body }) => {
        const user = await callerOf(deps, request)
        await withOwnProof(deps, user, body, async (tx) => {
          await removePasskey(tx, user.id, passkeyId)
          await deleteUnneededCodes(tx, user.id)
        })
        return done('The passkey is removed')
      },
      {
        params: ByPasskeyId,
        body: PasswordAndProof,
        response: { 200: response(Done) },
        detail: operation('removePasskey', 'Remove a passkey', {
          description: 'Removing the last one of a user without an authenticator removes the recovery codes too.',
          ...withSecret,
          ...wrong,
          404: 'The caller has no such passkey',
        }),
      },
    )
    .post(
      '/mfa/options',
      async ({ request }) => {
        const user = await callerOf(deps, request)
        return { data: { ...(await assertionOptions(deps, user.id, passkeySubject.verify(user.id))) } }
      },
      {
        response: { 200: response(PasskeyOptions) },
        detail: operation('getPasskeyOptions', 'Get the challenge for a passkey of the caller', {
          description: 'For `navigator.credentials.get`; its answer is accepted once as `passkey` instead of a code.',
          ...withSecret,
          ...noUser,
          409: 'The caller has no passkey',
        }),
      },
    )
}

function addRoutes(deps: IdentityManagerDeps) {
  const { store, now } = deps
  return new Elysia({ prefix: '/users', tags: ['Second factor'] })
    .post(
      '/mfa/passkeys/options',
      async ({ request, body }) => {
        const user = await callerOf(deps, request)
        const options = await registrationOptions(deps, user)
        await withOwnProof(deps, user, body, (tx) => beginAdding(tx, user.id, options.challenge, now()))
        return { data: { ...options } }
      },
      {
        body: PasswordAndProof,
        response: { 200: response(PasskeyOptions) },
        detail: operation('getNewPasskeyOptions', 'Begin to add a passkey', {
          description:
            'For `navigator.credentials.create`; its answer is sent to POST /users/mfa/passkeys. A user with a second factor must prove it.',
          ...withSecret,
          ...wrong,
          409: 'The caller has ten passkeys',
        }),
      },
    )
    .post(
      '/mfa/passkeys',
      async ({ request, set, body }) => {
        const user = await callerOf(deps, request)
        const made = await verifiedPasskey(deps, user, body)
        const recoveryCodes = await store.commit(async (tx) => {
          const isFirst = !(await hasSecondFactor(tx, user.id))
          await addPasskey(tx, made)
          if (isFirst) await endBegun(tx, user.id)
          return isFirst ? await newRecoveryCodes(tx, user.id, now()) : null
        })
        set.status = 201
        return { data: { passkey: shown(made.row), recoveryCodes } }
      },
      {
        body: NewPasskey,
        response: { 201: response(PasskeyAdded) },
        detail: operation('addPasskey', 'Add a passkey', {
          description: 'Log-ins require it from now on. A user’s first second factor comes with recovery codes.',
          ...withSecret,
          ...noUser,
          409: 'The passkey is already registered',
        }),
      },
    )
}
