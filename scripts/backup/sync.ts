import { closeSync, fsyncSync, openSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Waits until a file's content, or the names in a folder, are on the disk: a power cut takes away what is not. */
export type Sync = (path: string) => void

export const syncNow: Sync = (path) => {
  const handle = openSync(path, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}

/** All files of a folder, then their names. */
export function syncAllIn(folder: string, sync: Sync): void {
  for (const name of readdirSync(folder).sort()) sync(join(folder, name))
  sync(folder)
}

/** The names in a folder, and in those above it that hold what `mkdirSync` has made on the way: its answer. */
export function syncUp(folder: string, made: string | undefined, sync: Sync): void {
  for (let each = folder; ; each = dirname(each)) {
    sync(each)
    if (made === undefined || each.length < made.length) return
  }
}
