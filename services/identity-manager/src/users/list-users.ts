import type { RoleName, UserStatus } from '@bursar/contracts/identity-manager'
import {
  and,
  anywhere,
  asc,
  count,
  type Db,
  defineList,
  eq,
  inArray,
  isNull,
  type ListPlace,
  listParams,
  listSize,
  listValues,
  matches,
  param,
  prepared,
  variants,
} from '@bursar/store'
import type { Scope } from './scope'
import type { UserRow } from './users'
import { users } from './users.table'

/** The owner of the listed users. */
export type ListedUsers = Pick<Scope, 'of' | 'owner'>

/** The filters and page. */
interface Asked {
  q?: string
  status?: UserStatus
  role?: RoleName
}

/** A page of an owner's users, and their total. */
export async function listUsers(
  db: Db,
  { of, owner }: ListedUsers,
  { q, status, role, ...place }: Asked & ListPlace & { limit: number },
): Promise<[UserRow[], number]> {
  if (of === 'none') return [[], 0]
  const asked = { of, owner, q, status, role }
  const rows = place.limit === 0 ? [] : await userList.page(db, asked, place)
  return [rows, await userList.count(db, asked)]
}

/** The users of the owner with these ids. */
export async function findUsers(db: Db, { of, owner }: ListedUsers, ids: readonly string[]): Promise<UserRow[]> {
  if (of === 'none' || ids.length === 0) return []
  const size = listSize(ids)
  return await usersByIds({ of, size })(db).execute({ ...owner, ...listValues('id', ids) })
}

/** The number of all users, including deleted ones. */
export async function countUsers(db: Db): Promise<number> {
  const [row] = await countAll(db).execute()
  return row?.users ?? 0
}

type Of = Exclude<ListedUsers['of'], 'none'>

const within = (of: Of) =>
  and(
    isNull(users.deletedAt),
    of === 'participant' ? eq(users.participantId, param('participantId')) : undefined,
    of === 'custodian' ? eq(users.custodianId, param('custodianId')) : undefined,
  )
/** By age. Users are scanned in parts: few of an owner's may match the filters. */
const userList = defineList({
  id: users.id,
  rows: (db) => db.select().from(users),
  to: (row): UserRow => row,
  read: ({ of, owner, q, status, role }: { of: Of; owner: ListedUsers['owner'] } & Asked) => ({
    form: { of, byText: !!q, byStatus: status !== undefined, byRole: role !== undefined },
    values: { ...owner, status, q: anywhere(q ?? ''), role: `%"${role}"%` },
  }),
  where: ({ of, byText, byStatus, byRole }) =>
    and(
      within(of),
      byText ? matches(users.searchText, param('q')) : undefined,
      byStatus ? eq(users.status, param('status')) : undefined,
      // A JSON array of fixed words.
      byRole ? matches(users.roles, param('role')) : undefined,
    ),
  isSparse: ({ byText, byStatus, byRole }) => byText || byStatus || byRole,
  along: ({ of }) => within(of),
  countsAll: true,
})

const usersByIds = variants(
  ({ of, size }: { of: Of; size: number }) =>
    (db) =>
      db
        .select()
        .from(users)
        .where(and(within(of), inArray(users.id, listParams('id', size))))
        .orderBy(asc(users.id)),
)
const countAll = prepared((db) => db.select({ users: count() }).from(users))
