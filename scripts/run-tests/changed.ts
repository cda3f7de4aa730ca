// Which test files a change can break: what `scripts/test --quick` runs.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { importsOf, packageOf } from '../../test/tidy/tree'
import { expectedMs } from './order'

/** By file, as paths from the root: the files that it imports, or names in a text as those that it starts. */
type Imports = ReadonlyMap<string, readonly string[]>

const isTestFile = (path: string) => path.endsWith('.test.ts')

/**
 * The test files that a change can break, nearest first: those that changed themselves, then by the imports that lie
 * between; of those as near the packages take turns, so that the first of them come from many. A changed file that no test reaches so (a migration, a page of the console) stands for the tests of its
 * package; a document stands for none.
 */
export function testsOf(changed: readonly string[], imports: Imports): string[] {
  const importers = importersOf(imports)
  const distances = new Map<string, number>()
  for (const file of changed) {
    for (const [test, distance] of testsThatReach(file, importers, imports))
      distances.set(test, Math.min(distance, distances.get(test) ?? distance))
  }
  const turns = new Map<string, number>()
  const inTurn = [...distances]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([test, distance]) => {
      const group = `${distance} ${packageOf(test)}`
      const turn = turns.get(group) ?? 0
      turns.set(group, turn + 1)
      return { test, distance, turn }
    })
  return inTurn.sort((a, b) => a.distance - b.distance || a.turn - b.turn).map(({ test }) => test)
}

function testsThatReach(file: string, importers: Imports, imports: Imports): [test: string, distance: number][] {
  const reached = new Map(imports.has(file) ? [[file, 0]] : [])
  // A map goes on with what is added to it meanwhile.
  for (const [path, distance] of reached)
    for (const importer of importers.get(path) ?? []) if (!reached.has(importer)) reached.set(importer, distance + 1)
  const tests = [...reached].filter(([path]) => isTestFile(path))
  const home = packageOf(file)
  if (tests.length > 0 || !home || file.endsWith('.md')) return tests
  return [...imports.keys()].filter((path) => isTestFile(path) && packageOf(path) === home).map((path) => [path, 1])
}

function importersOf(imports: Imports): Imports {
  const importers = new Map<string, string[]>()
  for (const [path, targets] of imports)
    for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  return importers
}

/** The first of these files whose times, in milliseconds, add up to no more than `budgetMs`; of those that never ran here, what they take elsewhere. */
export function withinBudget(files: readonly string[], times: ReadonlyMap<string, number>, budgetMs: number): string[] {
  let sumMs = 0
  return files.filter((file) => {
    sumMs += times.get(file) ?? expectedMs(file)
    return sumMs <= budgetMs
  })
}

/** How many of these files each package has, the most first: `services/quote (12), packages/http (3)`. */
export function countsByPackage(files: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const file of files) counts.set(packageOf(file) || 'test', (counts.get(packageOf(file) || 'test') ?? 0) + 1)
  return [...counts]
    .sort(([, few], [, many]) => many - few)
    .map(([name, count]) => `${name} (${count})`)
    .join(', ')
}

/** What git answers, split at NUL; throws with its own words. */
function git(root: string, ...args: string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`--quick asks git what changed, and it failed: ${error?.message ?? stderr.trim()}`)
  return stdout.split('\0').filter(Boolean)
}

/** The commit that this branch left main at; on main itself, what of it is published; else the last commit. */
function baseOf(root: string): string {
  const [branch = ''] = git(root, 'branch', '--show-current')
  const others = ['main', 'origin/main'].filter((name) => name !== branch.trim())
  for (const name of others) {
    const { status, stdout } = spawnSync('git', ['merge-base', 'HEAD', name], { cwd: root, encoding: 'utf8' })
    if (status === 0) return stdout.trim()
  }
  return 'HEAD'
}

/** The files that differ from the base, committed or not, new ones too; paths from the root. */
export function changedFiles(root: string): string[] {
  const differing = git(root, 'diff', '--name-only', '--no-renames', '-z', baseOf(root))
  return [...new Set([...differing, ...git(root, 'ls-files', '--others', '--exclude-standard', '-z')])]
}

const named = /['"`]([\w./-]+\.(?:tsx?|mjs))['"`]/g

/** The imports of every module of the project. Those of types are left out: the type check covers them. */
export function readImports(root: string): Imports {
  const paths = git(root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z', '*.ts', '*.tsx', '*.mjs')
  const texts = new Map(paths.flatMap((path) => readIfThere(root, path)))
  return new Map(
    [...texts].map(([path, text]) => {
      const folder = join(root, dirname(path))
      const froms = importsOf(text).filter(({ from, typeOnly }) => !typeOnly && /^(\.|@bursar\/)/.test(from))
      const imported = froms.flatMap(({ from }) => resolved(from, folder)).map((file) => relative(root, file))
      const started = [...text.matchAll(named)].flatMap(([, name = '']) => [join(dirname(path), name), name])
      return [
        path,
        [...new Set([...imported, ...started, ...startedByName(text)])].filter(
          (target) => target !== path && texts.has(target),
        ),
      ]
    }),
  )
}

/** What a test starts by its name alone (test/commands.ts): a script, or services. */
function startedByName(text: string): string[] {
  if (!/ from '(\.\.?\/)+commands'/.test(text)) return []
  const names = (words: string) => [...words.matchAll(/'([a-z][a-z-]*)'/g)].map(([, name]) => name)
  const services = [...text.matchAll(/\blineOfServices\(([^)]*)\)/g)].flatMap(([, words = '']) => names(words))
  return [...services.map((name) => `services/${name}/src/main.ts`), ...names(text).map((name) => `scripts/${name}.ts`)]
}

/** Nothing for a file that is deleted and not yet committed. */
function readIfThere(root: string, path: string): [path: string, text: string][] {
  try {
    return [[path, readFileSync(join(root, path), 'utf8')]]
  } catch {
    return []
  }
}

/** Nothing for what does not exist: the type check complains of it. */
function resolved(from: string, folder: string): string[] {
  try {
    return [Bun.resolveSync(from, folder)]
  } catch {
    return []
  }
}
