import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { modeName } from '../../config'
import { type BuiltFile, builtFile } from './built-file'

/** The built console. */
export interface Build {
  readonly page: BuiltFile
  /** By the name after `/console/assets/`. */
  readonly assets: ReadonlyMap<string, BuiltFile>
}

export type Environment = 'sandbox' | 'production'

/** Where the sources of the pages are. */
export const sources = fileURLToPath(new URL('.', import.meta.resolve('@bursar/console/package.json')))

export const assetsPath = '/console/assets/'

/** The placeholder for the page's own files. */
export const placeholder = '<!-- built -->'

const naming = '[name]-[hash].[ext]'

/** How the pages' files are made: in memory, names by content, no source maps. */
export const buildOptions = {
  target: 'browser',
  format: 'esm',
  splitting: true,
  minify: true,
  sourcemap: 'none',
  define: { [modeName]: '"production"' },
  naming: { entry: naming, chunk: naming, asset: naming },
  publicPath: assetsPath,
  metafile: true,
} as const satisfies Omit<Bun.BuildConfig, 'entrypoints'>

/** Tells the pages where they are, before anybody has logged in. */
export const environmentTag = (environment: Environment): string => `<meta name="environment" content="${environment}">`

/** Builds the pages of a session: a chunk for each page that is imported lazily. Throws the build errors. */
export async function buildConsole(folder: string = sources, environment: Environment = 'sandbox'): Promise<Build> {
  const pagesStyle = join(folder, 'src/style/pages.css')
  const { outputs, metafile } = await Bun.build({
    ...buildOptions,
    entrypoints: [join(folder, 'src/main.tsx'), ...((await Bun.file(pagesStyle).exists()) ? [pagesStyle] : [])],
  })
  const assets = await filesOf(outputs)
  const template = await Bun.file(join(folder, 'index.html')).text()
  if (!template.includes(placeholder)) throw new Error(`index.html lacks ${placeholder}`)
  const page = template.replace(placeholder, [environmentTag(environment), ...tagsFor(metafile)].join('\n'))
  return { page: builtFile(new TextEncoder().encode(page), 'text/html; charset=utf-8'), assets }
}

/** What was built, by name. */
export async function filesOf(outputs: readonly Bun.BuildArtifact[]): Promise<Map<string, BuiltFile>> {
  const files = outputs.map(async (output) => {
    const bytes = new Uint8Array(await output.arrayBuffer())
    return [basename(output.path), builtFile(bytes, typeOf(output))] as const
  })
  return new Map(await Promise.all(files))
}

/** Bun writes `text/javascript;charset=utf-8`. */
export const typeOf = ({ type }: Blob): string => type.replace(/;\s*/, '; ')

type Outputs = Bun.BuildMetafile['outputs']

/**
 * The tags of the page's files: its style first, its script, and everything that this imports, without a second round
 * trip. The style of the other pages is given by name, for them to load (`ui/pages-style.ts`).
 */
export function tagsFor(metafile: Bun.BuildMetafile | undefined, script = 'src/main.tsx'): string[] {
  const outputs: Outputs = metafile?.outputs ?? {}
  const isMain = (path: string) => path.endsWith('.js') && outputs[path]?.entryPoint?.endsWith(script) === true
  const entry = Object.keys(outputs).find(isMain)
  const isPagesStyle = (path: string) => outputs[path]?.entryPoint?.endsWith('src/style/pages.css') === true
  const pagesStyle = Object.keys(outputs).find(isPagesStyle)
  const style = entry && outputs[entry]?.cssBundle
  if (entry === undefined) throw new Error(`The build made no script of ${script}`)
  return [
    ...(style ? [`<link rel="stylesheet" href="${hrefOf(style)}">`] : []),
    ...(pagesStyle ? [`<meta name="pages-style" content="${hrefOf(pagesStyle)}">`] : []),
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
