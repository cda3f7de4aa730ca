import { searchRoutes, service } from '@bursar/http'
import type { IdentityManagerDeps } from './deps'
import { internalKeyRoutes, keyRoutes } from './keys/keys.routes'
import { loginRoutes } from './logins/logins.routes'
import { passkeyRoutes } from './logins/passkeys.routes'
import { secondFactorRoutes } from './logins/second-factor.routes'
import { passwordRoutes, registrationRoutes } from './passwords/passwords.routes'
import { internalRoleRoutes, roleRoutes } from './roles/roles.routes'
import { internalRevocationRoutes, sessionRoutes } from './sessions/sessions.routes'
import { singleSignOnRoutes } from './single-sign-on/single-sign-on.routes'
import { userActRoutes } from './user-acts/user-acts.routes'
import { internalUserRoutes } from './user-changes/internal-users.routes'
import { userRoutes } from './user-changes/users.routes'
import { nameRoutes } from './users/names.routes'
import { searchUsers } from './users/search-users'

/** The identity manager (spec 3, Identity manager): users, their roles, logins and passwords. */
export const createApp = (deps: IdentityManagerDeps) =>
  service({
    ...deps,
    name: 'identity-manager',
    description: 'Users and their roles, logins, sessions and passwords.',
    shape: 'object',
    tags: {
      Authentication: 'Logging in and out, and passwords',
      Users: 'Users of the administration, of participants and of custodian banks',
      Roles: 'The roles of users',
      Sessions: 'The log-ins of users',
      'Second factor': 'Authenticators, passkeys and recovery codes',
      'Single sign-on': 'Logging in through the deployment’s identity provider (OpenID Connect)',
      Keys: 'The keys that verify access tokens',
    },
  })
    .use(loginRoutes(deps))
    .use(singleSignOnRoutes(deps))
    .use(passwordRoutes(deps))
    .use(registrationRoutes(deps))
    .use(roleRoutes())
    .use(sessionRoutes(deps))
    .use(secondFactorRoutes(deps))
    .use(passkeyRoutes(deps))
    .use(nameRoutes(deps))
    .use(userRoutes(deps))
    .use(userActRoutes(deps))
    .use(keyRoutes(deps))
    .use(internalUserRoutes(deps))
    .use(internalRoleRoutes(deps))
    .use(internalRevocationRoutes(deps))
    .use(internalKeyRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchUsers(deps.store.read, sought)))
