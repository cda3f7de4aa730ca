import {
  and,
  asc,
  count,
  type Db,
  eq,
  inArray,
  isNull,
  listParams,
  listSize,
  listValues,
  param,
  prepared,
  variants,
} from '@bursar/store'
import type { Scope } from './scope'
import type { UserRow } from './users'
import { users } from './users.table'

/** Whose users are listed. */
export type ListedUsers = Pick<Scope, 'of' | 'owner'>

interface Page {
  limit: number
  offset: number
}

/** The users of an owner, oldest first, and how many there are. */
export async function listUsers(db: Db, { of, owner }: ListedUsers, page: Page): Promise<[UserRow[], number]> {
  if (of === 'none') return [[], 0]
  const rows = page.limit === 0 ? [] : await usersOf({ of })(db).execute({ ...owner, ...page })
  const [total] = await countOf({ of })(db).execute({ ...owner })
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
const usersOf = variants(
  ({ of }: { of: Of }) =>
    (db) =>
      db.select().from(users).where(within(of)).orderBy(asc(users.id)).limit(param('limit')).offset(param('offset')),
)
const countOf = variants(
  ({ of }: { of: Of }) =>
    (db) =>
      db.select({ users: count() }).from(users).where(within(of)),
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
