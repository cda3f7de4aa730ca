// What is made of the sources, and kept in .cache for as long as these stay.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { claimScratch, unfinished } from '../stack/scratch'

export interface Recipe {
  root: string
  /** The folder in .cache. */
  what: string
  /** Paths of all that it is made from, in `root`. */
  sources: readonly string[]
}

const key = /^[0-9a-f]{32}$/

const folderOf = ({ root, what }: Recipe): string => join(root, '.cache', what)

/** The folder of what is made of the sources as they are now: one for each state of them, of Bun, and of the place of the checkout. */
export function placeOf(recipe: Recipe): string {
  const { root, sources } = recipe
  const hash = createHash('sha256').update(`${Bun.version} ${root}`)
  for (const path of sources) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return join(folderOf(recipe), hash.digest('hex').slice(0, 32))
}

/**
 * The folder with what `make` has put into it: whole or not there. `made` is where it will be in the end. What was made of the
 * two newest states of the sources stays, and what a process runs: a service that is restarted needs its program again.
 */
export async function madeOf(recipe: Recipe, make: (folder: string, made: string) => Promise<void>): Promise<string> {
  const made = placeOf(recipe)
  if (existsSync(made)) return made
  const folder = folderOf(recipe)
  mkdirSync(folder, { recursive: true })
  const older = readdirSync(folder).filter((name) => key.test(name))
  const half = `${made}-${randomUUID()}${unfinished}`
  const scratch = claimScratch(half)
  try {
    mkdirSync(half)
    await make(half, made)
    renameSync(half, made)
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(made)) throw error
  } finally {
    scratch.remove()
  }
  const age = (name: string) => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0
  const running = commandLines()
  for (const name of older.sort((a, b) => age(b) - age(a)).slice(1))
    if (running?.includes(name) === false) rmSync(join(folder, name), { recursive: true, force: true })
  return made
}

/** Those of all processes, of every user; null where the system does not tell. */
function commandLines(): string | null {
  try {
    const { success, stdout } = Bun.spawnSync(['ps', '-A', '-ww', '-o', 'args='], { stderr: 'ignore' })
    return success ? stdout.toString() : null
  } catch {
    return null
  }
}
