import type { Metrics } from '@bursar/http'
import { lastBackupOf } from '@bursar/store/last-backup'
import type { Config } from '../config'

/**
 * Adds the metric of the last backup's time: `here` from the first start on, `elsewhere` where backups are copied to another
 * place, or were once. None where a server has the data: its backups are its own.
 */
export function addBackupFigure(
  metrics: Metrics,
  { dataDir, databaseUrl, copiesBackups }: Pick<Config, 'dataDir' | 'databaseUrl' | 'copiesBackups'>,
): void {
  if (databaseUrl !== null) return
  metrics.addLabelled({
    name: 'bursar_backup_taken_seconds',
    help: 'When the last backup was taken, in seconds since 1970; 0 for never',
    label: 'place',
    read: () => {
      const { takenAt, copiedAt } = lastBackupOf(dataDir)
      const isElsewhere = copiesBackups || copiedAt !== null
      return { here: secondsOf(takenAt), ...(isElsewhere && { elsewhere: secondsOf(copiedAt) }) }
    },
  })
}

const secondsOf = (time: string | null): number => (time === null ? 0 : Date.parse(time) / 1000 || 0)
