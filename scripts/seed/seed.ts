import { type ExampleId, exampleIds, exampleRoles } from '@bursar/contracts/examples'
import { seedCatalogue } from './catalogue'
import { seedHolders } from './holders'
import { seedInstitutions } from './institutions'
import { seedMoney } from './money'
import { seedPayments } from './payments'
import { ensure, get, type Platform } from './platform'
import { seedScreening } from './screening'

/** The ids of the records that examples in the OpenAPI documents name. */
export type SeededIds = Partial<Record<ExampleId, string>>

/** Fills the running services; existing records stay unchanged. */
export async function seed(platform: Platform): Promise<SeededIds> {
  const { asset, ...catalogue } = await seedCatalogue(platform)
  const { suspendedAccount, ...holders } = await seedHolders(platform)
  if (!asset) throw new Error('The core ledger has no asset to move')
  const screening = await seedScreening(platform, holders.participant)
  const institutions = await seedInstitutions(platform)
  const users = await seedUsers(platform)
  const movements = await seedMoney(platform, { ...holders, suspendedAccount }, asset)
  const payments = await seedPayments(platform)
  return { ...catalogue, asset, ...holders, ...screening, ...institutions, ...users, ...movements, ...payments }
}

/** A text of the documentation, with the placeholders replaced by the ids of seeded records. */
export const withSeededIds = (text: string, ids: SeededIds): string =>
  (Object.keys(exampleIds) as ExampleId[]).reduce(
    (filled, name) => filled.replaceAll(exampleIds[name], ids[name] ?? exampleIds[name]),
    text,
  )

/** An administration user that examples name; it is only invited, so nobody can log in as it. */
async function seedUsers(platform: Platform): Promise<{ user: string }> {
  const email = 'jonas.weber@bursar.example'
  const { data } = await get<{ data: { id: string; email: string }[] }>(platform, 'identity-manager', 'users?limit=100')
  const known = data.find((user) => user.email === email)
  const body = { email, name: 'Jonas Weber', roleId: exampleRoles.operator }
  return { user: await ensure(platform, ['identity-manager', 'users'], `user ${email}`, known, { body }) }
}
