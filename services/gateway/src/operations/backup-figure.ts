import type { Metrics } from '@bursar/http'
import { lastBackupOf } from '@bursar/store/last-backup'

/**
 * Adds the metric of the last backup's time: `elsewhere` once one was copied to another place, `here` from the first
 * start on.
 */
export function addBackupFigure(metrics: Metrics, dataDir: string): void {
  metrics.addLabelled({
    name: 'bursar_backup_taken_seconds',
    help: 'When the last backup was taken, in seconds since 1970; 0 for never',
    label: 'place',
    read: () => {
      const { takenAt, copiedAt } = lastBackupOf(dataDir)
      return { here: secondsOf(takenAt), ...(copiedAt === null ? {} : { elsewhere: secondsOf(copiedAt) }) }
    },
  })
}

const secondsOf = (time: string | null): number => (time === null ? 0 : Date.parse(time) / 1000 || 0)
