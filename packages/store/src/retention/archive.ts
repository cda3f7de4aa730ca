import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { newNamesIn, replaceInThread, syncInThread } from '../engine/on-disk'

const compress = promisify(gzip)

/** Where rows go before they are deleted. */
export interface Archive {
  /**
   * Archives rows of a table as compressed JSON lines, oldest first; resolves when they are on the disk. `at` and `key`
   * are those of the first row. With the contents they name the file: the same rows replace their own file, and others
   * never do.
   */
  keep(table: string, rows: readonly object[], first: { at: Date; key: string }): Promise<void>
}

/** An archive in a folder: `<folder>/<table>/<month>/<time>-<key>-<digest>.jsonl.gz`. */
export const folderArchive = (folder: string): Archive => ({
  async keep(table, rows, { at, key }) {
    const time = at.toISOString()
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const digest = Bun.SHA256.hash(lines, 'hex').slice(0, 12)
    const name = `${time.replaceAll(':', '')}-${key.replaceAll(/[^\w-]/g, '_')}-${digest}.jsonl.gz`
    await writeDurably(join(folder, table, time.slice(0, 7), name), await compress(lines))
  },
})

/** Writes a file atomically, and so that it survives a power cut; in threads, so that the service goes on. */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(file)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  // Always the same name, so that leftovers of a full disk are overwritten.
  await replaceInThread(file, bytes, join(folder, 'draft'))
  for (const each of newNamesIn(folder, made)) await syncInThread(each)
}
