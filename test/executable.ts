// The executable of `bun run build --executable`, for the tests that run it.
import { dirname, join } from 'node:path'
import { makeExecutable } from '../scripts/build/executable'
import { madeOf } from '../scripts/build/made-of'
import { sourcesOfCommands } from './commands'

const root = dirname(import.meta.dir)

/** Its path; tests copy it. */
export async function executable(): Promise<string> {
  const name = 'bursar'
  const make = async (folder: string) => void (await makeExecutable(root, join(folder, name)))
  return join(await madeOf({ root, what: 'executable', sources: sourcesOfExecutable() }, make), name)
}

/** The sources of its commands, the console's, and what it reads besides. */
export function sourcesOfExecutable(): string[] {
  const patterns = [
    'packages/console/*.html',
    'packages/console/{src,font}/**/*',
    'services/*/{migrations,src,ofac}/**/*',
  ]
  const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  const sources = new Set([...sourcesOfCommands(), ...found, '.env.example'])
  return [...sources].filter((path) => !path.endsWith('.test.ts')).sort()
}

// Run by itself, before all tests: else two of their processes would make it.
if (import.meta.main) await executable()
