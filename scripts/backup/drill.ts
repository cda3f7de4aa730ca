import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { databasesIn, lackOf, ofLaterRelease } from './contents'
import { type RestoreOptions, restoreBackup } from './restore-backup'

interface DrillOptions extends Pick<RestoreOptions, 'audit' | 'decrypter' | 'isIncomplete'> {
  /** An empty folder, which the caller removes. */
  scratch: string
  /** Fetches the backup; resolves with its folder. */
  fetch: () => Promise<string>
}

/** Restores a backup into a folder of its own and audits it there. Resolves with the report; throws what a restore throws. */
export async function drill({ scratch, fetch, ...how }: DrillOptions): Promise<string> {
  const startMs = performance.now()
  const folder = await fetch()
  const fetchedMs = performance.now()
  const dataDir = join(scratch, 'data')
  const { manifest } = await restoreBackup({ folder, dataDir, ...how })
  const endMs = performance.now()
  const rows = databasesIn(dataDir).map((name) => {
    const { tables, count } = rowsIn(join(dataDir, name))
    return [name, megabytes(statSync(join(dataDir, name)).size), `${count} rows in ${tables} tables`]
  })
  const ageHours = (Date.now() - Date.parse(manifest.takenAt)) / 3_600_000
  return [
    `The backup of ${manifest.takenAt} (${ageHours.toFixed(1)} hours old, version ${manifest.version}${manifest.encrypted ? ', encrypted' : ''}) can be restored.${lackOf(manifest)}${ofLaterRelease(manifest)}`,
    ...rows.map(([name = '', size = '', count = '']) => `  ${name.padEnd(20)} ${size.padStart(10)}  ${count}`),
    `Fetched in ${seconds(fetchedMs - startMs)}, restored and audited in ${seconds(endMs - fetchedMs)}. The audit found nothing wrong.`,
    'What happened since the backup would be lost: run bun run reconcile --after-restore after a real restore.',
  ].join('\n')
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`
const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

function rowsIn(file: string): { tables: number; count: number } {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const names = database
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all() as { name: string }[]
    const counts = names.map(
      ({ name }) =>
        database.prepare(`SELECT count(*) AS n FROM "${name.replaceAll('"', '""')}"`).get() as { n: number },
    )
    return { tables: names.length, count: counts.reduce((sum, { n }) => sum + n, 0) }
  } finally {
    database.close()
  }
}
