import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { tempDir } from '@bursar/testing'

const size = '4g'

/** A folder on a file system of its own, whose free space can be taken away. */
export interface Disk {
  folder: string
  /** Takes all free space away. */
  fill(): void
  free(): void
  unmount(): void
}

/** Needs the right to mount a tmpfs. Throws with mount's own words. */
export function mountDisk(): Disk {
  const folder = join(tempDir(), 'disk')
  mkdirSync(folder)
  mount('-t', 'tmpfs', '-o', `size=${size},mode=700`, 'bursar-hour', folder)
  return {
    folder,
    fill() {
      // A write between the two calls makes it fail.
      for (let attempt = 1; ; attempt++) {
        const { blocks, bfree, bsize } = statfsSync(folder)
        try {
          return mount('-o', `remount,size=${(blocks - bfree) * bsize}`, folder)
        } catch (error) {
          if (attempt === 20) throw error
        }
      }
    },
    free: () => mount('-o', `remount,size=${size}`, folder),
    unmount: () => void Bun.spawnSync(['umount', folder]),
  }
}

function mount(...words: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['mount', ...words])
  if (exitCode !== 0) throw new Error(`mount ${words.join(' ')}: ${stderr}`)
}
