import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sha256 } from '@bursar/http'
import { modeName } from '../../config'
import { type BuiltFile, builtFile } from './built-file'

/** The built console. */
export interface Build {
  readonly page: BuiltFile
  /** Files by the name after `/console/assets/`. */
  readonly assets: ReadonlyMap<string, BuiltFile>
}

export type Environment = 'sandbox' | 'production'

/** The folder of the pages' sources. */
export const sources = fileURLToPath(new URL('.', import.meta.resolve('@bursar/console/package.json')))

export const assetsPath = '/console/assets/'

/** The placeholder for the page's own files. */
const placeholder = '<!-- built -->'

const naming = '[name]-[hash].[ext]'

/** The output of a build. */
interface Built {
  assets: ReadonlyMap<string, BuiltFile>
  metafile: Bun.BuildMetafile | undefined
  /** The names of the fonts among the assets. */
  fonts: readonly string[]
}

/** Builds scripts and styles in memory, named by content, without source maps. Throws the build errors. */
async function buildFiles(entrypoints: string[]): Promise<Built> {
  const fonts = new Map<string, Uint8Array<ArrayBuffer>>()
  const { outputs, metafile } = await Bun.build({
    entrypoints,
    target: 'browser',
    format: 'esm',
    splitting: true,
    minify: true,
    sourcemap: 'none',
    define: { [modeName]: '"production"' },
    naming: { entry: naming, chunk: naming, asset: naming },
    publicPath: assetsPath,
    metafile: true,
    plugins: [fontsBeside(fonts)],
  })
  const assets = new Map<string, BuiltFile>()
  for (const output of outputs)
    assets.set(basename(output.path), builtFile(new Uint8Array(await output.arrayBuffer()), typeOf(output)))
  for (const [name, bytes] of fonts) assets.set(name, builtFile(bytes, 'font/woff2'))
  return { assets, metafile, fonts: [...fonts.keys()] }
}

/** Builds the pages for logged-in users: a chunk for each lazily imported page. Throws the build errors. */
export async function buildConsole(folder: string = sources, environment: Environment = 'sandbox'): Promise<Build> {
  const hasStyle = await Bun.file(join(folder, pagesStyle)).exists()
  return await buildPage(folder, environment, 'index.html', ['src/main.tsx', ...(hasStyle ? [pagesStyle] : [])])
}

/**
 * Builds the log-in page separately from the others: one script and one style, without their chunks. Null for sources
 * without such a page. Throws the build errors.
 */
export async function buildLogIn(
  folder: string = sources,
  environment: Environment = 'sandbox',
): Promise<Build | null> {
  const template = 'log-in.html'
  if (!(await Bun.file(join(folder, template)).exists())) return null
  return await buildPage(folder, environment, template, ['src/pages/log-in/start.tsx'])
}

const pagesStyle = 'src/style/pages.css'

/** Builds a page with the first of the entry points as its script. It tells its environment before anybody has logged in. */
async function buildPage(
  folder: string,
  environment: Environment,
  template: string,
  entrypoints: [string, ...string[]],
): Promise<Build> {
  const built = await buildFiles(entrypoints.map((each) => join(folder, each)))
  const text = await Bun.file(join(folder, template)).text()
  if (!text.includes(placeholder)) throw new Error(`${template} lacks ${placeholder}`)
  const environmentTag = `<meta name="environment" content="${environment}">`
  const tags = [environmentTag, ...tagsFor(built, entrypoints[0])].join('\n')
  const page = text.replace(placeholder, tags).replaceAll('ENVIRONMENT', environment)
  return { page: builtFile(new TextEncoder().encode(page), 'text/html; charset=utf-8'), assets: built.assets }
}

/** Bun writes `text/javascript;charset=utf-8`. */
export const typeOf = ({ type }: Blob): string => type.replace(/;\s*/, '; ')

/**
 * Keeps fonts out of the style sheet: Bun would inline them, and the sheet is read completely before the first paint.
 */
const fontsBeside = (fonts: Map<string, Uint8Array<ArrayBuffer>>): Bun.BunPlugin => ({
  name: 'fonts beside',
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, ({ path, importer }) => {
      const file = join(dirname(importer), path)
      const bytes = new Uint8Array(readFileSync(file))
      const hash = sha256(bytes).slice(0, 8)
      const name = `${basename(file, '.woff2')}-${hash}.woff2`
      fonts.set(name, bytes)
      return { path: assetsPath + name, external: true }
    })
  },
})

type Outputs = Bun.BuildMetafile['outputs']

/**
 * The tags of the page's files: its style first, then its script and all its static imports, which saves a second round
 * trip. The style of the other pages is passed by name, for them to load (`ui/pages-style.ts`).
 */
function tagsFor({ metafile, fonts }: Built, script: string): string[] {
  const outputs: Outputs = metafile?.outputs ?? {}
  const isMain = (path: string) => path.endsWith('.js') && outputs[path]?.entryPoint?.endsWith(script) === true
  const entry = Object.keys(outputs).find(isMain)
  const isPagesStyle = (path: string) => outputs[path]?.entryPoint?.endsWith(pagesStyle) === true
  const otherStyle = Object.keys(outputs).find(isPagesStyle)
  const style = entry && outputs[entry]?.cssBundle
  if (entry === undefined) throw new Error(`The build made no script of ${script}`)
  return [
    ...(style ? [`<link rel="stylesheet" href="${hrefOf(style)}">`] : []),
    // The first font has the letters of every page.
    ...fonts
      .slice(0, 1)
      .map((path) => `<link rel="preload" href="${hrefOf(path)}" as="font" type="font/woff2" crossorigin>`),
    ...(otherStyle ? [`<meta name="pages-style" content="${hrefOf(otherStyle)}">`] : []),
    `<script type="module" src="${hrefOf(entry)}"></script>`,
    ...[...importedBy(outputs, entry)].map((path) => `<link rel="modulepreload" href="${hrefOf(path)}">`),
  ]
}

const hrefOf = (path: string): string => assetsPath + basename(path)

/** The chunks that a script imports statically. */
function importedBy(outputs: Outputs, path: string, found = new Set<string>()): Set<string> {
  for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
    if (kind !== 'import-statement' || found.has(imported)) continue
    found.add(imported)
    importedBy(outputs, imported, found)
  }
  return found
}
