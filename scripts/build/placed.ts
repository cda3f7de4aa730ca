import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BunPlugin } from 'bun'

/** What a source says of its place once it is bundled. */
export interface Place {
  /** The path of the source there. */
  of(path: string): string
  /** An expression that gives the URL of a package's file, of the expression with its name and the folder that imports it. */
  resolved(specifier: string, folder: string): string
  /** Other changes of a source's text. */
  also?(text: string, path: string): string
}

/** In a bundle a file is no longer at its place: migrations, lists and workers beside it are named by where they are. */
export const placed = (place: Place): BunPlugin => ({
  name: 'placed',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:(?:packages|services)\/[^/]+\/src|scripts)\/.*\.ts$/ }, ({ path }) => {
      const there = place.of(path)
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(there).href))
        .replaceAll('import.meta.dir', JSON.stringify(dirname(there)))
        .replaceAll(/import\.meta\.resolve\(([^()]*)\)/g, (_, name: string) => place.resolved(name, dirname(there)))
      return { contents: place.also?.(contents, path) ?? contents, loader: 'ts' }
    })
    // pino looks at each start who calls it, for a setting that no log here has: in a bundle that reads the whole source
    // map, a third of what a start takes.
    onLoad({ filter: /\/pino\/lib\/caller\.js$/ }, () => ({ contents: 'module.exports = () => []', loader: 'js' }))
  },
})

/** Bundles that run in the checkout. */
export const inCheckout: Place = {
  of: (path) => path,
  resolved: (name, folder) => `Bun.pathToFileURL(Bun.resolveSync(${name}, ${JSON.stringify(folder)})).href`,
}
