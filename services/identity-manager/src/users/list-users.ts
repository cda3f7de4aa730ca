import type { RoleName, UserStatus } from '@bursar/contracts/identity-manager'
import {
  and,
  anywhere,
  asc,
  count,
  countWindows,
  type Db,
  eq,
  firstAfter,
  gt,
  gte,
  inArray,
  isNull,
  keyset,
  listParams,
  listSize,
  listValues,
  lte,
  matches,
  type Order,
  param,
  prepared,
  readWindows,
  variants,
  type Windowed,
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
  order?: Order
  /** Those behind this one in the list; the page begins there. */
  after?: string
}

/** The users of an owner that are asked for, and how many there are. */
export async function listUsers(db: Db, { of, owner }: ListedUsers, asked: Asked): Promise<[UserRow[], number]> {
  if (of === 'none') return [[], 0]
  const { limit, offset, status = '', role = '', order = 'asc', after } = asked
  const filters = { of, byText: !!asked.q, byStatus: status !== '', byRole: role !== '' }
  const values = { ...owner, status, q: anywhere(asked.q ?? ''), role: `%"${role}"%` }
  const place = { after: firstAfter(order, after), limit, offset }
  if (filters.byText || filters.byStatus || filters.byRole) {
    const rows = limit === 0 ? [] : await readWindows(windows(db, { ...filters, order }, values), place)
    return [rows, await countWindows(windows(db, { ...filters, order: 'asc' }, values))]
  }
  const list = usersOf({ ...filters, order, isBounded: false })(db)
  const rows = limit === 0 ? [] : await list.execute({ ...values, ...place })
  const [total] = await countOf({ ...filters, isBounded: false })(db).execute(values)
  return [rows, total?.users ?? 0]
}

/** People are gone through part by part: of an owner's few may pass the filters. */
function windows(db: Db, form: Filters & { order: Order }, values: Record<string, unknown>): Windowed<UserRow> {
  const { of, order } = form
  return {
    order,
    end: async (place) => (await endOf({ of, order })(db).execute({ ...values, ...place }))[0]?.id,
    page: (place) => usersOf({ ...form, isBounded: true })(db).execute({ ...values, ...place }),
    count: async (place) =>
      (await countOf({ ...form, isBounded: true })(db).execute({ ...values, ...place }))[0]?.users ?? 0,
  }
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
const usersOf = variants(({ order, isBounded, ...filters }: Filters & { order: Order; isBounded: boolean }) => (db) => {
  const { beyond, by } = keyset(users.id, order)
  const until = (order === 'asc' ? lte : gte)(users.id, param('until'))
  return db
    .select()
    .from(users)
    .where(and(passing(filters), beyond, isBounded ? until : undefined))
    .orderBy(by)
    .limit(param('limit'))
    .offset(param('offset'))
})
/** The id that comes `skip` behind the next one among the owner's users. */
const endOf = variants(({ of, order }: { of: Of; order: Order }) => (db) => {
  const { beyond, by } = keyset(users.id, order)
  return db
    .select({ id: users.id })
    .from(users)
    .where(and(within(of), beyond))
    .orderBy(by)
    .limit(1)
    .offset(param('skip'))
})
const countOf = variants(
  ({ isBounded, ...filters }: Filters & { isBounded: boolean }) =>
    (db) =>
      db
        .select({ users: count() })
        .from(users)
        .where(
          and(
            passing(filters),
            isBounded ? and(gt(users.id, param('after')), lte(users.id, param('until'))) : undefined,
          ),
        ),
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
