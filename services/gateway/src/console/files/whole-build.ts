import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Build, buildConsole, buildLogIn, type Environment, sources, typeOf } from './build'
import { type BuiltFile, best, builtFile } from './built-file'

/** The build of all pages. */
export interface WholeBuild extends Build {
  /** The log-in page; null for sources without one. */
  readonly logIn: BuiltFile | null
}

/** Builds all pages, or reads an earlier build (`writeBuilt`). Throws the build errors. */
export async function wholeBuild(folder: string = sources, environment: Environment = 'sandbox'): Promise<WholeBuild> {
  const built = await readBuilt(folder, environment)
  if (built) return built
  const [main, logIn] = await Promise.all([buildConsole(folder, environment), buildLogIn(folder, environment)])
  const assets = new Map([...main.assets, ...(logIn?.assets ?? [])])
  return { page: main.page, logIn: logIn?.page ?? null, assets }
}

const builtIn = (folder: string, environment: Environment): string => join(folder, 'built', environment)
/** The file name suffix of compressed files. */
const packed = `.${best}`
const names = { page: 'index.html', logIn: 'log-in.html' }

/** Builds the pages of both environments into a folder, from which `wholeBuild` reads them later, and compresses them. */
export async function writeBuilt(folder: string): Promise<void> {
  for (const environment of ['sandbox', 'production'] as const) {
    const { page, logIn, assets } = await wholeBuild(sources, environment)
    const built = builtIn(folder, environment)
    mkdirSync(built, { recursive: true })
    const files = new Map([[names.page, page], ...(logIn ? [[names.logIn, logIn] as const] : []), ...assets])
    for (const [name, file] of files) {
      writeFileSync(join(built, name), await file.body('identity'))
      writeFileSync(join(built, name + packed), await file.body(best))
    }
  }
}

async function readBuilt(folder: string, environment: Environment): Promise<WholeBuild | null> {
  const built = builtIn(folder, environment)
  if (!existsSync(built)) return null
  const wanted = readdirSync(built).filter((name) => !name.endsWith(packed))
  const files = await Promise.all(wanted.map(async (name) => [name, await readFile(built, name)] as const))
  const { [names.page]: page, [names.logIn]: logIn = null, ...assets } = Object.fromEntries(files)
  if (!page) throw new Error(`${built} lacks ${names.page}`)
  return { page, logIn, assets: new Map(Object.entries(assets)) }
}

async function readFile(folder: string, name: string): Promise<BuiltFile> {
  const file = Bun.file(join(folder, name))
  return builtFile(await file.bytes(), typeOf(file), await Bun.file(join(folder, name + packed)).bytes())
}
