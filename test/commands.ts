// The project's commands (`bun run backup` and its like) and services as child processes of tests.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { bundleOf } from '../scripts/build/bundles'
import { copyCurves } from '../scripts/build/executable'
import { inCheckout, placed } from '../scripts/build/placed'

const root = dirname(import.meta.dir)

export interface Ran {
  code: number
  out: string
  error: string
  /** What it wrote to either. */
  said: string
}

interface Place {
  /** The test's own environment unless given. */
  env?: Record<string, string | undefined>
  /** The command line that starts it. */
  under?: readonly string[]
}

/** Runs a command of the project to its end. */
export async function runCommand(name: string, args: readonly string[], place: Place = {}): Promise<Ran> {
  const child = await startCommand(name, args, place)
  const [out, error, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, out, error, said: out + error }
}

/** Starts a command of the project. */
export async function startCommand(name: string, args: readonly string[], { env, under = [] }: Place = {}) {
  compiled ??= compile()
  const command = [...under, process.execPath, '--no-env-file', join(await compiled, 'scripts', `${name}.js`), ...args]
  return Bun.spawn(command, { cwd: root, env: env ?? process.env, stdout: 'pipe', stderr: 'pipe' })
}

let bundles: ReturnType<typeof bundleOf> | undefined

/** The program of a service in production: its bundle where `scripts/test` has made that, else its sources. */
export function programOf(service: ServiceName): string {
  bundles ??= bundleOf(root)
  return join(root, bundles(service) ?? `services/${service}/src/main.ts`)
}

/** Where compiled commands lie, one folder for each state of the sources. */
const folder = join(root, '.cache/commands')

/** Those that write from the sources, run all services in their own process, or run tests. */
const uncompiled = /^(all|build|docs-.*|run-tests|test-report)\.ts$/

/** The folder with the compiled commands. */
let compiled: Promise<string> | undefined

/**
 * Compiles all commands, which share their chunks, once for as long as the sources stay. It takes a second; what is
 * started from its sources takes two and a half times the processor time, and tests start some two hundred.
 */
async function compile(): Promise<string> {
  const made = join(folder, keyOfSources())
  if (existsSync(made)) return made
  mkdirSync(folder, { recursive: true })
  const older = readdirSync(folder)
  const half = mkdtempSync(`${made}-`)
  await Bun.build({
    entrypoints: [...new Bun.Glob('scripts/*.ts').scanSync({ cwd: root })]
      .filter((path) => !uncompiled.test(path.replace('scripts/', '')))
      .map((path) => join(root, path)),
    root,
    outdir: half,
    target: 'bun',
    splitting: true,
    sourcemap: 'linked',
    // As it is where the command runs.
    define: { 'process.env.NODE_ENV': 'process.env["NODE_ENV"]' },
    plugins: [placed(inCheckout)],
  })
  copyCurves(root, half)
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

/** What compiled commands depend on, besides Bun and the place of the checkout: the sources and the dependencies. */
export function sourcesOfCommands(): string[] {
  const patterns = ['scripts/**/*.ts', '{packages,services}/*/src/**/*.ts', '{packages,services}/*/package.json']
  const found = patterns.map((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  return ['bun.lock', 'package.json', ...found.flat().filter((path) => !path.endsWith('.test.ts'))].sort()
}

function keyOfSources(): string {
  const hash = createHash('sha256').update(`${Bun.version} ${root}`)
  for (const path of sourcesOfCommands()) hash.update(`\0${path}\0`).update(readFileSync(join(root, path)))
  return hash.digest('hex').slice(0, 32)
}

// Run by itself, before all tests: else each of their processes would compile them.
if (import.meta.main) await compile()
