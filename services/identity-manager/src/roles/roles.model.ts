import { Role, roleScopes } from '@bursar/contracts/identity-manager'
import { oneOf, type Static, t } from '@bursar/contracts/schema'

export { Role } from '@bursar/contracts/identity-manager'

export const Roles = t.Object({ data: t.Array(Role) }, { title: 'Roles' })

/** GET /internal/roles: all of them, or those of a scope. */
export const RolesQuery = t.Object({ scope: t.Optional(oneOf(roleScopes)) })
export type RolesQuery = Static<typeof RolesQuery>
