import { listRoles, Role } from '@bursar/contracts/identity-manager'
import { t } from '@bursar/contracts/schema'
import { operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import type { MainApiDeps } from '../deps'
import { userFailures } from './users.model'

const Roles = t.Object({ data: t.Array(Role) }, { title: 'Roles' })

/** Spec 3, Main API: administration. The identity manager defines the roles (decisions, Admin role). */
export const roleRoutes = ({ client }: MainApiDeps) =>
  new Elysia({ prefix: '/admin/roles', tags: ['Users and roles'] }).get(
    '/',
    async () => ({ data: await client.call(listRoles) }),
    {
      response: { 200: response(Roles) },
      detail: operation('listAdminRoles', 'List all roles', userFailures),
    },
  )
