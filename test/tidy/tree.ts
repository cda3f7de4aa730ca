import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every file of the project by its path from the root. */
export type Tree = ReadonlyMap<string, string>

/** Something that must hold for the whole tree. */
export interface Rule {
  /** As a sentence. */
  says: string
  /** What breaks it, one line each; empty when it holds. */
  complaints(tree: Tree): string[]
  /** Small trees that break it: each must be complained about, or the rule itself is broken. */
  breaks: Record<string, string>[]
}

const ignored = /(^|\/)(node_modules|\.git|migrations\/.*meta)\/|^(\.cache|data|coverage)\//
const readable =
  /\.(tsx?|mjs|css|json|jsonc|sql|md|yml|yaml|toml|lock)$|(^|\/)(Procfile|\.env\.example|run|start|test)$/

/** Reads what belongs to the project: no dependencies, no data. */
export function readTree(root: string): Tree {
  const paths = [...new Bun.Glob('**/*').scanSync({ cwd: root, dot: true })]
  const own = paths.filter((path) => !ignored.test(path) && readable.test(path)).sort()
  return new Map(own.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
}

/** The files whose path matches. */
export const filesIn = (tree: Tree, pattern: RegExp): [path: string, text: string][] =>
  [...tree].filter(([path]) => pattern.test(path))

export const isTest = (path: string): boolean => path.endsWith('.test.ts') || /(^|\/)test\//.test(path)

export interface Import {
  /** As written: `./rates`, `@bursar/store/schema`. */
  from: string
  typeOnly: boolean
}

const statement = /^(?:import|export)\s+(type\s)?(?:[\w$*{][^'"=;()]*?\sfrom\s+)?['"]([^'"\n]+)['"]/gm
const call = /\b(?:import|require|resolve)\(\s*['"]([^'"\n]+)['"]/g

/** What a module imports and re-exports, also by `import()` and `import.meta.resolve()`. */
export function importsOf(text: string): Import[] {
  const statements = [...text.matchAll(statement)].map(([, type, from = '']) => ({ from, typeOnly: Boolean(type) }))
  const calls = [...text.matchAll(call)].map(([, from = '']) => ({ from, typeOnly: false }))
  return [...statements, ...calls]
}

/** The folder of the package that a file belongs to: `services/quote`, `packages/store`, or '' for the root's. */
export const packageOf = (path: string): string => /^(?:packages|services)\/[^/]+/.exec(path)?.[0] ?? ''

/** The names of the folders below services/. */
export const serviceNames = (tree: Tree): string[] => [
  ...new Set([...tree.keys()].flatMap((path) => /^services\/([^/]+)\//.exec(path)?.[1] ?? [])),
]

/** One complaint for each place in these files where the pattern (with the flag g) is found. */
export function found(files: [path: string, text: string][], pattern: RegExp, complaint: string): string[] {
  return files.flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map((match) => {
      const line = text.slice(0, match.index).split('\n').length
      return `${path}:${line}: ${match[0].trim()}: ${complaint}`
    }),
  )
}
