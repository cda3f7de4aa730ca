import type { KnownUser, User } from '@bursar/contracts/identity-manager'
import {
  and,
  count,
  type Db,
  eq,
  folded,
  insertMissing,
  isNull,
  ne,
  newId,
  param,
  prepared,
  rowBy,
  type Tx,
  updateBy,
} from '@bursar/store'
import { fail } from '../errors'
import { users } from './users.table'

/** A stored user, without the derived search text. */
export type UserRow = Omit<typeof users.$inferSelect, 'searchText'>

const notDeleted = isNull(users.deletedAt)

const toStored = (row: UserRow) => ({ ...row, searchText: folded(`${row.name} ${row.email}`) })

/** Normalises an address for comparison; addresses are ASCII. */
export const emailKeyOf = (email: string): string => email.toLowerCase()

/** Fails (404) also for a deleted user. */
export async function getUser(db: Db, id: string): Promise<UserRow> {
  const row = await findUser(db, id)
  if (!row) throw fail('NOT_FOUND')
  return row
}

/** The user of this id, unless it was deleted. */
export const findUser = rowBy(users, 'id', notDeleted)

/** The user that has this address, unless it was deleted. */
export const findUserByEmail = rowBy(users, 'emailKey', notDeleted)

/** A user to be stored, without a password unless given. */
export const newUser = (
  fields: Pick<UserRow, 'email' | 'name' | 'status' | 'roles' | 'participantId' | 'custodianId'> &
    Partial<Pick<UserRow, 'passwordHash' | 'mustChangePassword'>>,
  now: Date,
): UserRow => ({
  id: newId(now),
  emailKey: emailKeyOf(fields.email),
  isAdministrator: fields.roles.includes('admin'),
  passwordHash: null,
  mustChangePassword: false,
  ...fields,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
})

/** Stores a new user. Fails (409) when its address is taken. */
export async function insertUser(tx: Tx, row: UserRow): Promise<void> {
  if ((await insertNew(tx, [toStored(row)])) === 0) throw fail('CONFLICT')
}

/** Stores the mutable fields of a user. Fails (409) when the address is another's. */
export async function storeUser(tx: Tx, row: UserRow): Promise<void> {
  const holder = await findUserByEmail(tx, row.emailKey)
  if (holder && holder.id !== row.id) throw fail('CONFLICT')
  await updateUser(tx).execute(toStored(row))
}

/** The number of other administrators that can log in. */
export async function otherAdministrators(db: Db, id: string): Promise<number> {
  const [row] = await countAdministrators(db).execute({ id })
  return row?.others ?? 0
}

/** The user as the API returns it. */
export const toUser = (row: UserRow): User => ({
  id: row.id,
  email: row.email,
  name: row.name,
  status: row.status,
  roles: row.roles,
  participantId: row.participantId,
  custodianId: row.custodianId,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** The user as answered to itself and its administrators. */
export const toKnownUser = (row: UserRow): KnownUser => ({
  ...toUser(row),
  mustChangePassword: row.mustChangePassword,
})

const insertNew = insertMissing(users)
const updateUser = updateBy(users, 'id', [
  'email',
  'emailKey',
  'name',
  'status',
  'roles',
  'isAdministrator',
  'passwordHash',
  'mustChangePassword',
  'searchText',
  'updatedAt',
  'deletedAt',
])
const countAdministrators = prepared((db) =>
  db
    .select({ others: count() })
    .from(users)
    .where(and(eq(users.isAdministrator, true), eq(users.status, 'ACTIVE'), notDeleted, ne(users.id, param('id')))),
)
