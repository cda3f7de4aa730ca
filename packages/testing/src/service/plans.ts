// The plans of a service's statements in a database that has grown for years.
import { join } from 'node:path'
import { dialect, type OpenStore, type StoreOptions } from '@bursar/store'
import { unboundedPlans } from '@bursar/store/plans'
import { tempDir } from '../temp-dir'
import { knownPlans, ofStore } from './known-plans'
import { makeMigrated, type Opened, openMigrated } from './migrated-file'

/** By the folder of a database's migrations: the statements that were explained in this process. */
const explained = new Map<string, Set<string>>()

/** Opens a service's database, as it is or new. Its `close` checks the plans of the statements that it has prepared. */
export async function openExplained(options: Opened): Promise<OpenStore> {
  const statements = new Set<string>()
  const store = await openMigrated({ ...options, note: (text) => void statements.add(text) })
  return {
    ...store,
    async close() {
      await store.close()
      await assertBoundedPlans(options, statements)
    },
  }
}

/**
 * Throws, naming the statement, where one reads a whole table or all rows of a common value, such as a status or a
 * network: its cost grows with everything that ever was. Those of `known` have a reason.
 */
export async function assertBoundedPlans(
  { service, migrations }: Pick<StoreOptions, 'service' | 'migrations'>,
  texts: Iterable<string>,
  known = knownPlans.get(service),
): Promise<void> {
  if (!known || dialect !== 'sqlite') return
  const before = explained.getOrInsertComputed(migrations, () => new Set())
  const fresh = [...texts].filter((text) => !before.has(text))
  for (const text of fresh) before.add(text)
  if (fresh.length === 0) return
  const file = join(tempDir(), 'plans.sqlite')
  await makeMigrated({ file, migrations })
  const small = new Set(Object.keys({ ...ofStore.small, ...known.small }))
  const rare = Object.keys({ ...ofStore.rare, ...known.rare })
  const found = unboundedPlans(file, fresh).filter(
    ({ text, table }) => !small.has(table) && !rare.some((part) => text.includes(part)),
  )
  if (found.length === 0) return
  const lines = found.map(({ step, text }) => `${step}: ${text}`)
  throw new Error(`Statements of ${service} read more with every row that there is:\n${lines.join('\n')}`)
}
