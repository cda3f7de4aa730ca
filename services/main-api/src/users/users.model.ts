import { exampleIds, exampleRoles } from '@bursar/contracts/examples'
import { UserChanges as Changes, emailAddress, User } from '@bursar/contracts/identity-manager'
import { about, type Static, t, text, uuid } from '@bursar/contracts/schema'
import { failuresOf, offsetQuery, pageOf } from '@bursar/http'

export { User } from '@bursar/contracts/identity-manager'

const roleIds = () =>
  about('The ids of its roles (GET /admin/roles)', t.Array(uuid(), { minItems: 1, maxItems: 10, uniqueItems: true }))

const newUser = {
  email: about('The address for its invitation and log-in', emailAddress()),
  name: text(255),
  roleIds: roleIds(),
}

/** Body of POST /admin/users (spec 3, Main API: administration). */
export const NewUser = t.Object(newUser, {
  title: 'NewUser',
  examples: [{ email: 'vera.lindt@bursar.example', name: 'Vera Lindt', roleIds: [exampleRoles.operator] }],
})
export type NewUser = Static<typeof NewUser>

/** Body of POST /custodian-bank/users: the same, with roles of custodian banks. */
export const NewCustodianUser = t.Object(newUser, {
  title: 'NewCustodianUser',
  examples: [{ email: 'noor.adeyemi@meridian.example', name: 'Noor Adeyemi', roleIds: [exampleRoles.custodianUser] }],
})

/** Body of PUT: the fields that change. */
export const UserChanges = t.Object(
  {
    ...Changes.properties,
    email: t.Optional(about('Another address to log in with', emailAddress())),
    roleIds: t.Optional(about('Its roles from now on; its sessions end', roleIds())),
    status: about('DISABLED ends its sessions; ACTIVE lets it log in again', Changes.properties.status),
  },
  { title: 'UserChanges', examples: [{ name: 'Vera Lindt-Okafor' }] },
)

export const UserPage = pageOf(User)

/** Spec 3, Limits: default 20, offset 0. */
export const UserQuery = t.Object(offsetQuery)
export type UserQuery = Static<typeof UserQuery>

export const ByUserId = t.Object({ userId: { ...uuid(), examples: [exampleIds.user] } })
export const ByCustodianUserId = t.Object({ userId: { ...uuid(), examples: [exampleIds.custodianUser] } })

/** Why an invitation, or another address, is refused for a while. */
export const mailFailures = { 429: 'The address has got five such mails within five minutes' }

/** The errors of routes for users when the identity manager fails. */
export const userFailures = failuresOf('The identity manager')
