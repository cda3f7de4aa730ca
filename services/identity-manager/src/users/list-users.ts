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

/** Whose users are listed. */
export type ListedUsers = Pick<Scope, 'of' | 'owner'>

/** Which of them. */
interface Asked {
  q?: string
  status?: UserStatus
  role?: RoleName
}

/** The users of an owner that are asked for, and how many there are. */
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

/** Those of the ids that are users of the owner. */
export async function findUsers(db: Db, { of, owner }: ListedUsers, ids: readonly string[]): Promise<UserRow[]> {
  if (of === 'none' || ids.length === 0) return []
  const size = listSize(ids)
  return await usersByIds({ of, size })(db).execute({ ...owner, ...listValues('id', ids) })
}

/** All users that there ever were. */
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
/** By age. People are gone through part by part: of an owner's few may pass the filters. */
const userList = defineList({
  id: users.id,
  rows: (db) => db.select().from(users),
  to: (row): UserRow => row,
  read: ({
    of,
    owner,
    q,
    status,
    role,
  }: { of: Of; owner: ListedUsers['owner'] } & Partial<Record<keyof Asked, string>>) => ({
    form: { of, byText: !!q, byStatus: status !== undefined, byRole: role !== undefined },
    values: { ...owner, status, q: anywhere(q ?? ''), role: `%"${role}"%` },
  }),
  where: ({ of, byText, byStatus, byRole }) =>
    and(
      within(of),
      byText ? matches(users.searchText, param('q')) : undefined,
      byStatus ? eq(users.status, param('status')) : undefined,
      // A JSON array of our own words.
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
