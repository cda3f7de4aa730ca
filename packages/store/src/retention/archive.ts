import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Where rows go before they are deleted. */
export interface Archive {
  /**
   * Keeps rows of a table as compressed JSON lines, oldest first; resolves when they are on the disk. `at` and `key` are of
   * the first one, and name the file: rows that are given again replace it.
   */
  keep(table: string, rows: readonly object[], first: { at: Date; key: string }): Promise<void>
}

/** An archive in a folder: `<folder>/<table>/<month>/<time>-<key>.jsonl.gz`. */
export const folderArchive = (folder: string): Archive => ({
  async keep(table, rows, { at, key }) {
    const time = at.toISOString()
    const name = `${time.replaceAll(':', '')}-${key.replaceAll(/[^\w-]/g, '_')}.jsonl.gz`
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    await writeDurably(join(folder, table, time.slice(0, 7), name), await compress(lines))
  },
})

/** All of the file or nothing is there, and stays there when the power fails. */
async function writeDurably(file: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(file)
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(bytes)
    await draft.datasync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
  // A new folder is an entry of the one above it.
  for (let each = folder; ; each = dirname(each)) {
    await syncFolder(each)
    if (made === undefined || each.length < made.length) break
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
