import type { StatusCount } from '../../api/open-work'

export interface WorkFigure {
  count: number
  oldestAt: string | null
  oldestId: string | null
}

/** The number of transactions in a status over all types, and the oldest of them. */
export function inStatus(counts: readonly StatusCount[], status: string): WorkFigure {
  const of = counts.filter((each) => each.status === status && each.count > 0)
  const oldest = of
    .filter(({ oldestAt }) => oldestAt !== null)
    .sort((one, other) => (one.oldestAt ?? '').localeCompare(other.oldestAt ?? ''))[0]
  return {
    count: of.reduce((sum, { count }) => sum + count, 0),
    oldestAt: oldest?.oldestAt ?? null,
    oldestId: oldest?.oldestId ?? null,
  }
}
