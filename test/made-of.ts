// What tests make of the sources, and keep for as long as these stay: it takes seconds, and several tests want it.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = dirname(import.meta.dir)

/**
 * The folder, in .cache, with what `make` has put into it: one for each state of these sources, and those of the two newest
 * states stay. It also depends on Bun and on the place of the checkout.
 */
export async function madeOf(
  sources: readonly string[],
  what: string,
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(root, '.cache', what)
  const made = join(folder, keyOf(sources))
  if (existsSync(made)) return made
  mkdirSync(folder, { recursive: true })
  const older = readdirSync(folder)
  const half = mkdtempSync(`${made}-`)
  await make(half)
  try {
    renameSync(half, made)
  } catch (error) {
    rmSync(half, { recursive: true, force: true })
    // Another process may have been faster.
    if (!existsSync(made)) throw error
  }
  // Tests of the sources before may be under way.
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  for (const name of older.sort((a, b) => age(b) - age(a)).slice(1))
    rmSync(join(folder, name), { recursive: true, force: true })
  return made
}

function keyOf(sources: readonly string[]): string {
  const hash = createHash('sha256').update(`${Bun.version} ${root}`)
  for (const path of sources) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 32)
}
