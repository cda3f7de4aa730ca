import type { RoleName, UserStatus } from '@bursar/contracts/identity-manager'
import {
  and,
  anywhere,
  asc,
  count,
  type Db,
  desc,
  eq,
  gt,
  inArray,
  isNull,
  listParams,
  listSize,
  listValues,
  lt,
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

/** Which of them, and in which order; oldest first unless told otherwise. */
interface Asked {
  limit: number
  offset: number
  q?: string
  status?: UserStatus
  role?: RoleName
  order?: 'asc' | 'desc'
  /** Those behind this one in the list; the page begins there. */
  after?: string
}

/** The users of an owner that are asked for, and how many there are. Their number is that of people: rows are scanned. */
export async function listUsers(db: Db, { of, owner }: ListedUsers, asked: Asked): Promise<[UserRow[], number]> {
  if (of === 'none') return [[], 0]
  const { limit, offset, status = '', role = '', order = 'asc', after } = asked
  const filters = { of, byText: !!asked.q, byStatus: status !== '', byRole: role !== '' }
  const values = { ...owner, status, q: anywhere(asked.q ?? ''), role: `%"${role}"%`, after: after ?? '' }
  const list = usersOf({ ...filters, order, isAfter: after !== undefined })
  const rows = limit === 0 ? [] : await list(db).execute({ ...values, limit, offset })
  const [total] = await countOf(filters)(db).execute(values)
  return [rows, total?.users ?? 0]
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
/** Which filters a list has. */
type Filters = { of: Of; byText: boolean; byStatus: boolean; byRole: boolean }

const passing = ({ of, byText, byStatus, byRole }: Filters) =>
  and(
    within(of),
    byText ? matches(users.searchText, param('q')) : undefined,
    byStatus ? eq(users.status, param('status')) : undefined,
    // A JSON array of our own words.
    byRole ? matches(users.roles, param('role')) : undefined,
  )
const usersOf = variants(
  ({ order, isAfter, ...filters }: Filters & { order: 'asc' | 'desc'; isAfter: boolean }) =>
    (db) =>
      db
        .select()
        .from(users)
        .where(and(passing(filters), isAfter ? behind[order](users.id, param('after')) : undefined))
        .orderBy(order === 'asc' ? asc(users.id) : desc(users.id))
        .limit(param('limit'))
        .offset(param('offset')),
)
const behind = { asc: gt, desc: lt }
const countOf = variants(
  (filters: Filters) => (db) => db.select({ users: count() }).from(users).where(passing(filters)),
)
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
