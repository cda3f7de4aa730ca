// The project's commands (`bun run backup` and its like) and services as child processes of tests.
import { dirname, join } from 'node:path'
import type { ServiceName } from '@bursar/contracts/services'
import { copyCurves } from '../scripts/build/compile'
import { madeOf } from '../scripts/build/made-of'
import { inCheckout, placed } from '../scripts/build/placed'
import { programOf } from '../scripts/build/program'

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
  const command = [...under, ...(await lineOfCommand(name, ...args))]
  return Bun.spawn(command, { cwd: root, env: env ?? process.env, stdout: 'pipe', stderr: 'pipe' })
}

/** The command line of a command of the project. */
export async function lineOfCommand(name: string, ...args: string[]): Promise<string[]> {
  return [process.execPath, '--no-env-file', await programOfCommand(name), ...args]
}

/** The compiled program of a command. */
export async function programOfCommand(name: string): Promise<string> {
  compiled ??= compile()
  return join(await compiled, 'scripts', `${name}.js`)
}

let program: string | null | undefined

/** The command line of services in one process, in production: their program where `scripts/test` has made that, else their sources. */
export function lineOfServices(...names: ServiceName[]): string[] {
  program ??= programOf(root)
  if (program) return [join(root, program), ...names]
  return [process.execPath, '--no-env-file', join(root, 'scripts/all.ts'), ...names]
}

/** Those that write from the sources, run all services in their own process, or run tests. */
const uncompiled = /^(all|build|client-.*|console-.*|docs-.*|run-tests|test-report)\.ts$/

/** The folder with the compiled commands. */
let compiled: Promise<string> | undefined

/**
 * Compiles all commands, which share their chunks, once for as long as the sources stay. It takes a second; what is
 * started from its sources takes two and a half times the processor time, and tests start some two hundred.
 */
function compile(): Promise<string> {
  return madeOf({ root, what: 'commands', sources: sourcesOfCommands() }, async (half) => {
    await Bun.build({
      entrypoints: [...new Bun.Glob('scripts/*.ts').scanSync({ cwd: root })]
        .filter((path) => !uncompiled.test(path.replace('scripts/', '')))
        .map((path) => join(root, path)),
      root,
      outdir: half,
      target: 'bun',
      splitting: true,
      sourcemap: 'linked',
      plugins: [placed({ ...inCheckout, also: readMode })],
    })
    copyCurves(root, half)
  })
}

/** A build puts its own NODE_ENV in the place of each `process.env.NODE_ENV`: it is to be that of where the command runs. */
const readMode = (text: string): string =>
  text.replaceAll(/process\.env\.NODE_ENV(?= [!=]==)/g, "Reflect.get(process.env, 'NODE_ENV')")

/** What compiled commands depend on, besides Bun and the place of the checkout: the sources and the dependencies. */
export function sourcesOfCommands(): string[] {
  const patterns = ['scripts/**/*.ts', '{packages,services}/*/src/**/*.ts', '{packages,services}/*/package.json']
  const found = patterns.map((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: root })])
  return ['bun.lock', 'package.json', ...found.flat().filter((path) => !path.endsWith('.test.ts'))].sort()
}

// Run by itself, before all tests: else each of their processes would compile them.
if (import.meta.main) await compile()
