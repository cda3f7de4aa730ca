import { exampleIds, exampleRoles } from '@bursar/contracts/examples'
import { emailAddress, roleNames, userStatuses } from '@bursar/contracts/identity-manager'
import { about, byId, isUuid, oneOf, optional, type Static, t, text, uuid } from '@bursar/contracts/schema'
import { keysetQuery, offsetQuery, queryUuid } from '@bursar/http'
import { refuse } from '../errors'

export { Invitation, KnownUser, User, UserChanges } from '@bursar/contracts/identity-manager'

const roleId = () => about('The id of the role: see GET /users/participant-roles and /users/custodian-roles', uuid())

/** Body of POST /users (spec 3, Identity manager). */
export const NewUser = t.Object(
  {
    email: emailAddress(),
    name: text(255),
    roleId: roleId(),
    participantId: optional(
      about('The user’s participant, for administrators; all others invite users of their own participant', uuid()),
    ),
    custodianId: optional(
      about(
        'The user’s custodian bank, for administrators; all others invite users of their own custodian bank',
        uuid(),
      ),
    ),
  },
  {
    title: 'NewUser',
    examples: [{ email: 'maria.lopez@bursar.example', name: 'Maria Lopez', roleId: exampleRoles.operator }],
  },
)
export type NewUser = Static<typeof NewUser>

/** Body of PUT /users/:userId. Omitted fields are unchanged. */
export const UserUpdate = t.Object(
  {
    email: t.Optional(emailAddress()),
    name: t.Optional(text(255)),
    roleId: t.Optional(roleId()),
    status: t.Optional(
      about('DISABLED: it cannot log in until it is made ACTIVE again', oneOf(['ACTIVE', 'DISABLED'])),
    ),
  },
  { title: 'UserUpdate', examples: [{ name: 'Jonas Weber' }] },
)
export type UserUpdate = Static<typeof UserUpdate>

/** GET /users. */
export const UsersQuery = t.Object({
  ...offsetQuery,
  q: t.Optional(
    about('Only users with this text in their name or address, case-insensitive', t.String({ maxLength: 100 })),
  ),
  status: t.Optional(about('Only users with this status', oneOf(userStatuses))),
  role: t.Optional(about('Only users with this role', oneOf(roleNames))),
  order: keysetQuery.order,
  after: keysetQuery.after,
})

/** GET /internal/users: all users, or those of one owner. */
export const InternalUsersQuery = t.Object({
  ...offsetQuery,
  participantId: t.Optional(queryUuid()),
  custodianId: t.Optional(queryUuid()),
})

/** GET /users/usernames. */
export const UsernamesQuery = t.Object({
  ids: t.String({
    description: 'Ids of users, separated by commas; at most 100',
    maxLength: 4096,
    examples: [exampleIds.user],
  }),
})

const mostIds = 100

/** Fails (400) for an id that is not a UUID, and for more than 100. */
export function readIds(text: string): string[] {
  const ids = [...new Set(text.split(',').map((id) => id.trim().toLowerCase()))].filter((id) => id !== '')
  if (!ids.every(isUuid)) throw refuse('ids', 'must be UUIDs separated by commas')
  if (ids.length > mostIds) throw refuse('ids', `must be at most ${mostIds}`)
  return ids
}

const Username = t.Object({ id: uuid(), name: t.String() }, { title: 'Username' })
export const Usernames = t.Object({ data: t.Array(Username) }, { title: 'Usernames' })

export const ById = byId(exampleIds.user)
export const ByUserId = t.Object({
  userId: { ...uuid(), description: 'The id of the user', examples: [exampleIds.user] },
})
