import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import openapiTs, { astToString, type OpenAPI3 } from 'openapi-typescript'

const root = join(import.meta.dir, '../../..')

/** The types of an OpenAPI document, as TypeScript. */
export const typesOf = async (document: unknown): Promise<string> =>
  astToString(await openapiTs(document as OpenAPI3, { alphabetize: true }))

/** What the types come from: files and patterns of files, from the root. */
const marked = (sources: readonly string[]): string => {
  const hash = new Bun.CryptoHasher('sha256')
  const found = sources.map((source) => [...new Bun.Glob(source).scanSync({ cwd: root })].sort())
  const empty = sources.find((_, index) => found[index]?.length === 0)
  if (empty) throw new Error(`There is no ${empty}: the types would never be written anew`)
  for (const path of found.flat()) hash.update(path).update(readFileSync(join(root, path)))
  return `// ${hash.digest('hex')}\n`
}

/** Writes the types of a document to a file, unless the document's sources are as they were. Answers whether it did. */
export async function writeTypes(
  file: string,
  sources: readonly string[],
  document: () => Promise<unknown>,
): Promise<boolean> {
  const head = marked([...sources, 'bun.lock', 'packages/testing/src/{documents,generated-types}.ts'])
  if (existsSync(file) && readFileSync(file, 'utf8').startsWith(head)) return false
  await Bun.write(file, head + (await typesOf(await document())))
  return true
}
