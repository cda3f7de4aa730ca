import { basename, join } from 'node:path'
import { cutThrough } from '@bursar/store/backup'
import { tempDir } from '../temp-dir'
import { withClient } from './databases'
import { type Kept, placeOn } from './stored'

/** Copies a database, as it is now and while its service runs, for another service: gives the data folder that has the copy. */
export async function copyOf(kept: Kept): Promise<string> {
  const dataDir = tempDir()
  const file = join(dataDir, basename(kept.file))
  const [from, to] = [placeOn(kept), placeOn({ file })]
  if ('schema' in from && 'schema' in to) await copySchema(from, to.schema)
  else {
    const cut = await cutThrough([kept.file])
    await cut.copy(kept.file, file)
    cut.close()
  }
  return dataDir
}

/** Its tables with their rows, and the next numbers of their keys. */
const copySchema = ({ url, schema }: { url: string; schema: string }, to: string): Promise<void> =>
  withClient(url, async (client) => {
    const named = async (text: string) => (await client.unsafe(text)) as { name: string; key: string | null }[]
    await client.unsafe('BEGIN ISOLATION LEVEL REPEATABLE READ')
    await client.unsafe(`CREATE SCHEMA "${to}"`)
    const tables = await named(
      `SELECT t.table_name AS name, min(c.column_name) AS key
       FROM information_schema.tables t LEFT JOIN information_schema.columns c
         ON c.table_schema = t.table_schema AND c.table_name = t.table_name AND c.is_identity = 'YES'
       WHERE t.table_schema = '${schema}' GROUP BY t.table_name`,
    )
    for (const { name, key } of tables) {
      const [source, copy] = [`"${schema}"."${name}"`, `"${to}"."${name}"`]
      await client.unsafe(`CREATE TABLE ${copy} (LIKE ${source} INCLUDING ALL)`)
      await client.unsafe(`INSERT INTO ${copy} SELECT * FROM ${source}`)
      if (key === null) continue
      const next = `SELECT coalesce(max("${key}"), 0) + 1 FROM ${copy}`
      await client.unsafe(`SELECT setval(pg_get_serial_sequence('${copy}', '${key}'), (${next}), false)`)
    }
    await client.unsafe('COMMIT')
  })
