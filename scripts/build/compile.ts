import { copyFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, placed } from './placed'

/** tiny-secp256k1 reads it from beside itself. */
const compiledCurves = 'secp256k1.wasm'

const curvesOf = (root: string): string =>
  join(dirname(Bun.resolveSync('tiny-secp256k1', join(root, 'services/wallet'))), compiledCurves)

/** Copies it into the folder of a bundle. */
export function copyCurves(root: string, folder: string): void {
  copyFileSync(curvesOf(root), join(folder, compiledCurves))
}

/** What passkeys' packages expect to be there first: in one bundle of modules Bun runs it after them. */
function decorators(root: string): string {
  const passkeys = Bun.resolveSync('@simplewebauthn/server', join(root, 'services/identity-manager'))
  return Bun.resolveSync('reflect-metadata', dirname(passkeys))
}

interface Program {
  /** The source that it runs, by its path in the checkout. */
  main: string
  place: Place
  /** Files and folders that become part of it. */
  assets?: readonly string[]
}

/**
 * Makes one file, for machines like this one, of Bun itself and the compiled code of all that `main` imports; for production. It
 * reads no .env by itself.
 */
export async function compile(root: string, outfile: string, { main, place, assets = [] }: Program): Promise<void> {
  const first = `import ${JSON.stringify(decorators(root))}\n`
  const also = (text: string, path: string) =>
    (path === join(root, main) ? first : '') + (place.also?.(text, path) ?? text)
  await Bun.build({
    entrypoints: [join(root, main)],
    compile: {
      outfile,
      assets: [...assets, curvesOf(root)],
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
    target: 'bun',
    format: 'esm',
    bytecode: true,
    sourcemap: 'linked',
    minify: { whitespace: true, syntax: true },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [placed({ ...place, also })],
  })
  // It is part of the program, too.
  rmSync(`${outfile}.map`, { force: true })
}
