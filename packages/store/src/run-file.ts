import { existsSync, readFileSync } from 'node:fs'
import { open, rename } from 'node:fs/promises'

// A run file lies beside a service's database and says how far it got. It is in no backup (scripts/backup/contents.ts):
// a database without its run file, or with one that knows more, was set back to an older state.

/** What a run file says, as it was written; null when there is none, or none that can be read. */
export function readRunFile(file: string): unknown {
  if (!existsSync(file)) return null
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return null
  }
}

/** Writes a run file durably, or leaves the one that there is. */
export async function writeRunFile(file: string, content: unknown): Promise<void> {
  const draft = await open(`${file}.new`, 'w', 0o600)
  try {
    await draft.writeFile(JSON.stringify(content))
    await draft.datasync()
  } finally {
    await draft.close()
  }
  await rename(`${file}.new`, file)
}
