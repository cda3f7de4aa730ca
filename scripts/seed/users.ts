import { exampleRoles } from '@bursar/contracts/examples'
import { create, get, isThere, type Platform } from './platform'

interface User {
  id: string
  email: string
}

/** An administration user that examples name; it is only invited, so nobody can log in as it. */
export async function seedUsers(platform: Platform): Promise<{ user: string }> {
  const email = 'jonas.weber@bursar.example'
  const { data } = await get<{ data: User[] }>(platform, 'identity-manager', 'users?limit=100')
  const known = data.find((user) => user.email === email)
  const label = `user ${email}`
  const body = { email, name: 'Jonas Weber', roleId: exampleRoles.operator }
  const { id } = known
    ? isThere(platform, 'identity-manager', label, known)
    : await create<User>(platform, ['identity-manager', 'users'], label, { body })
  return { user: id }
}
