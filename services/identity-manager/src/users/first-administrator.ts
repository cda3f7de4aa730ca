import { randomBytes } from 'node:crypto'
import type { IdentityManagerDeps } from '../deps'
import { countUsers } from './list-users'
import { emailKeyOf, insertUser, type UserRow } from './users'

type First = Pick<IdentityManagerDeps, 'store' | 'config' | 'hashing' | 'now'>

/**
 * Makes the administrator of a new deployment: ADMIN_EMAIL with ADMIN_PASSWORD, or with a password that is made here and
 * given to `show` once, for it is kept nowhere. Changes nothing where there is any user, deleted ones among them.
 */
export async function ensureFirstAdministrator(
  { store, config, hashing, now }: First,
  show: (email: string, password: string) => void,
): Promise<void> {
  if ((await countUsers(store.read)) > 0) return
  const { email } = config.admin
  const password = config.admin.password ?? randomBytes(18).toString('base64url')
  const row = newAdministrator(email, await hashing.hash(password), now())
  const isFirst = await store.commit(async (tx) => {
    // Another process may have been faster.
    if ((await countUsers(tx)) > 0) return false
    await insertUser(tx, row)
    return true
  })
  if (isFirst && config.admin.password === undefined) show(email, password)
}

/** To the terminal, past the log: lines of that are kept. */
export function showPassword(email: string, password: string): void {
  process.stderr.write(
    `The first administrator is ${email} with the password ${password}\nIt is shown this once: log in and change it.\n`,
  )
}

const newAdministrator = (email: string, passwordHash: string, now: Date): UserRow => ({
  id: Bun.randomUUIDv7('hex', now.getTime()),
  email,
  emailKey: emailKeyOf(email),
  name: 'Administrator',
  status: 'ACTIVE',
  roles: ['admin'],
  isAdministrator: true,
  participantId: null,
  custodianId: null,
  passwordHash,
  createdAt: now,
  updatedAt: now,
  deletedAt: null,
})
