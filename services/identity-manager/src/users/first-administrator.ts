import { randomBytes } from 'node:crypto'
import type { IdentityManagerDeps } from '../deps'
import { countUsers } from './list-users'
import { insertUser, newUser } from './users'

type First = Pick<IdentityManagerDeps, 'store' | 'config' | 'hashing' | 'now'>

/**
 * Creates the administrator of a new deployment: ADMIN_EMAIL with ADMIN_PASSWORD, or with a generated password that is
 * given to `show` once and not stored. Changes nothing when there is any user, including deleted ones.
 */
export async function ensureFirstAdministrator(
  { store, config, hashing, now }: First,
  show: ShowPassword,
): Promise<void> {
  if ((await countUsers(store.read)) > 0) return
  const { email, password = randomBytes(18).toString('base64url') } = config.admin
  const isMade = password !== config.admin.password
  const passwordHash = await hashing.hash(password)
  const row = newUser(
    {
      ...{ email, name: 'Administrator', status: 'ACTIVE', roles: ['admin'], participantId: null, custodianId: null },
      ...{ passwordHash, mustChangePassword: isMade },
    },
    now(),
  )
  const isFirst = await store.commit(async (tx) => {
    // Another process may have created it first.
    if ((await countUsers(tx)) > 0) return false
    await insertUser(tx, row)
    return true
  })
  if (isFirst && isMade) show(email, password, `${config.publicUrl}/console`)
}

/** Shows a generated password, and the address of the console, where it is changed. */
export type ShowPassword = (email: string, password: string, console: string) => void

/** To the terminal, not the log, whose lines are stored. */
export const showPassword: ShowPassword = (email, password, console) => {
  process.stderr.write(
    `The first administrator is ${email} with the password ${password}\n` +
      `It is shown this once: log in at ${console} and choose another.\n`,
  )
}
