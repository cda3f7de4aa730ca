import { t } from '@bursar/contracts/schema'
import { internalRoutes, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { IdentityManagerDeps } from '../deps'
import { roles, rolesOf, toRole } from './roles'
import { Role, Roles, RolesQuery } from './roles.model'

/** Spec 3, Endpoints, Identity manager: the roles that users of participants and of custodian banks may have. */
export const roleRoutes = () =>
  new Elysia({ prefix: '/users', tags: ['Roles'] })
    .get('/participant-roles', () => ({ data: rolesOf('participant').map(toRole) }), {
      response: { 200: response(Roles) },
      detail: operation('listParticipantRoles', 'List the roles of users of a participant'),
    })
    .get('/custodian-roles', () => ({ data: rolesOf('custodian').map(toRole) }), {
      response: { 200: response(Roles) },
      detail: operation('listCustodianRoles', 'List the roles of users of a custodian bank'),
    })

/** Called by other services only (contracts/identity-manager.ts). */
export const internalRoleRoutes = ({ identity }: Pick<IdentityManagerDeps, 'identity'>) =>
  internalRoutes(identity, '/internal/roles').get(
    '/',
    ({ query: { scope } }) => (scope ? rolesOf(scope) : roles).map(toRole),
    { query: RolesQuery, response: { 200: response(t.Array(Role)) } },
  )
