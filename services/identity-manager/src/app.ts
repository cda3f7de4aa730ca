import { service } from '@bursar/http'
import type { IdentityManagerDeps } from './deps'
import { internalUserRoutes } from './users/internal-users.routes'
import { userRoutes } from './users/users.routes'

/** The identity-manager service: users. */
export const createApp = (deps: IdentityManagerDeps) =>
  service({
    ...deps,
    name: 'identity-manager',
    description: 'Users.',
    shape: 'object',
    tags: { Users: 'Users, oldest first' },
  })
    .use(userRoutes(deps))
    .use(internalUserRoutes(deps))
