import { getPublicKeys, KeyRotation, rotateSigningKeys } from '@bursar/contracts/identity-manager'
import { internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { rotateNow } from './rotation'
import { publishedKeys } from './signing-keys'

/** decisions, Passwords, tokens: the keys that verify access tokens. */
export const keyRoutes = ({ store, now }: Pick<IdentityManagerDeps, 'store' | 'now'>) =>
  new Elysia({ tags: ['Keys'] }).get(
    '/.well-known/jwks.json',
    async () => ({ keys: await publishedKeys(store.read, now()) }),
    {
      response: { 200: response(getPublicKeys.answer) },
      detail: operation('getPublicKeys', 'Get the keys that verify access tokens', {
        description:
          'A JSON Web Key Set (RFC 7517): the signing key, the next one, and retired ones whose tokens may still be valid.',
      }),
    },
  )

/** For `bun run rotate tokens` (contracts/identity-manager.ts). */
export const internalKeyRoutes = (deps: IdentityManagerDeps) =>
  internalRoutes(deps.identity, '/internal/signing-keys').post(
    '/rotate',
    async ({ body }) => ({ kid: await rotateNow(deps, { dropRetired: body.dropRetired ?? false }) }),
    { body: KeyRotation, response: { 200: response(rotateSigningKeys.answer) } },
  )
