import type { Health, Metrics } from '@bursar/http'
import type { CurrentList, ListRow, LoadedList } from './current-list'

const dayMs = 24 * 60 * 60 * 1000
/** Above this age health warns (decisions, Screening sources). */
export const oldDays = 7

/** The age of a list in whole days since its publication. */
export const ageDays = ({ publishedAt }: ListRow, now: Date): number =>
  Math.max(0, Math.floor((now.getTime() - publishedAt.getTime()) / dayMs))

/** The publication date, by which publishers identify versions. */
export const versionOf = ({ publishedAt }: ListRow): string => publishedAt.toISOString().slice(0, 10)

/**
 * The common form and, when the list is old, `warnings`: the service still works, but a newer list should be loaded.
 * `refreshed` is the list in use; the one known last is told of while the database cannot be read.
 */
export function listHealth(
  { read, body }: Health,
  list: Pick<CurrentList, 'get'>,
  refreshed: () => Promise<unknown>,
  now: () => Date,
): Health {
  return {
    async read() {
      const [result] = await Promise.all([read(), refreshed().catch(() => {})])
      return result
    },
    body(result) {
      const { row } = list.get()
      const age = ageDays(row, now())
      if (age <= oldDays) return body(result)
      const warning = `The sanctions list is ${age} days old (${row.name}, ${versionOf(row)}): run bun run sanctions:update`
      return { ...body(result), warnings: [warning] }
    },
  }
}

/** `refreshed` is the list in use: another instance may have activated it. */
export function addListGauges(metrics: Metrics, refreshed: () => Promise<LoadedList>, now: () => Date): void {
  metrics.add({
    name: 'bursar_sanctions_list_entries',
    help: 'Entries of the sanctions list in use',
    read: async () => (await refreshed()).row.entries,
  })
  metrics.add({
    name: 'bursar_sanctions_list_age_days',
    help: 'Days since the sanctions list in use was published',
    read: async () => ageDays((await refreshed()).row, now()),
  })
}
