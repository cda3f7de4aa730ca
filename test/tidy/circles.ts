import { posix } from 'node:path'
import { filesIn, importsOf, isTest, packageOf, type Rule, type Tree } from './tree'

/** Who imports whom, by name. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** The file that a relative import of `path` means; null for a package, and for what is not in the tree. */
function fileOf(tree: Tree, path: string, from: string): string | null {
  if (!from.startsWith('.')) return null
  const target = posix.join(posix.dirname(path), from)
  return (
    [target, `${target}.ts`, `${target}.tsx`, `${target}/index.ts`, `${target}/index.tsx`].find((file) =>
      tree.has(file),
    ) ?? null
  )
}

/** The imports between the sources of packages and services, of types too, with files renamed by `nameOf`. */
function graphOf(tree: Tree, files: RegExp, nameOf: (path: string) => string): Graph {
  const graph = new Map<string, Set<string>>()
  for (const [path, text] of filesIn(tree, files).filter(([path]) => !isTest(path))) {
    const targets = graph.get(nameOf(path)) ?? new Set()
    graph.set(nameOf(path), targets)
    for (const { from } of importsOf(text)) {
      const target = fileOf(tree, path, from)
      if (target && files.test(target) && nameOf(target) !== nameOf(path)) targets.add(nameOf(target))
    }
  }
  return graph
}

/** Each circle once, as the names on it, the first one again at the end. */
export function circlesOf(graph: Graph): string[][] {
  const finished = new Set<string>()
  const circles: string[][] = []
  function visit(name: string, way: readonly string[]) {
    const start = way.indexOf(name)
    if (start >= 0) circles.push([...way.slice(start), name])
    if (start >= 0 || finished.has(name)) return
    for (const next of graph.get(name) ?? []) visit(next, [...way, name])
    finished.add(name)
  }
  for (const name of graph.keys()) visit(name, [])
  return circles
}

const sources = /^(packages|services)\/[^/]+\/src\/.*\.tsx?$|^scripts\/.*\.ts$/

const noCircles: Rule = {
  says: 'files import each other in one direction, types too (what routes and app share stands in deps.ts)',
  complaints: (tree) => circlesOf(graphOf(tree, sources, (path) => path)).map((circle) => circle.join(' → ')),
  breaks: [
    {
      'services/a/src/app.ts': "import { xRoutes } from './x/x.routes'\n",
      'services/a/src/x/x.routes.ts': "import type { Deps } from '../app'\n",
    },
    {
      'packages/a/src/x.ts': "import './y'\n",
      'packages/a/src/y.ts': "import './z'\n",
      'packages/a/src/z.ts': "import './x'\n",
    },
    {
      'packages/console/src/ui/x.tsx': "const load = () => import('./y')\n",
      'packages/console/src/ui/y.ts': "import type { X } from './x'\n",
    },
    { 'scripts/a/x.ts': "import './y'\n", 'scripts/a/y.ts': "import './x'\n" },
  ],
}

/** The folder below `src` that a file is in. */
const roomOf = (path: string): string => /^[^/]+\/[^/]+\/src\/([^/]+)\//.exec(path)?.[1] ?? ''

const rooms: Rule = {
  says: 'the rooms of a service or a package import each other in one direction',
  complaints: (tree) => {
    const owners = [...new Set([...tree.keys()].map(packageOf))].filter(Boolean)
    return owners.flatMap((owner) =>
      // What stands beside the rooms (app, deps, config) puts them together.
      circlesOf(graphOf(tree, new RegExp(`^${owner}/src/[^/]+/.*\\.tsx?$`), roomOf)).map(
        (circle) => `${owner}: ${circle.join(' → ')}`,
      ),
    )
  },
  breaks: [
    {
      'packages/http/src/edge/x.ts': "import { y } from '../errors/y'\n",
      'packages/http/src/errors/z.ts': "import { w } from '../edge/w'\n",
      'packages/http/src/errors/y.ts': '',
      'packages/http/src/edge/w.ts': '',
    },
    {
      'packages/console/src/ui/x.tsx': "import { y } from '../shell/y'\n",
      'packages/console/src/shell/z.tsx': "import { w } from '../ui/w'\n",
      'packages/console/src/shell/y.tsx': '',
      'packages/console/src/ui/w.tsx': '',
    },
  ],
}

const deps: Rule = {
  says: 'resources take their dependencies from deps.ts, and know neither app.ts nor service.ts',
  complaints: (tree) =>
    filesIn(tree, /^services\/[^/]+\/src\/[^/]+\/.*\.ts$/)
      .filter(([path]) => !isTest(path))
      .flatMap(([path, text]) => {
        const root = `${packageOf(path)}/src/`
        const targets = importsOf(text).map(({ from }) => fileOf(tree, path, from))
        const above = targets.filter((target) => target === `${root}app.ts` || target === `${root}service.ts`)
        return above.map((target) => `${path}: imports ${target}: take it from deps.ts`)
      }),
  breaks: [
    { 'services/a/src/app.ts': '', 'services/a/src/x/x.routes.ts': "import type { Deps } from '../app'\n" },
    { 'services/a/src/service.ts': '', 'services/a/src/x/x.ts': "import { start } from '../service'\n" },
  ],
}

export const circleRules = [noCircles, rooms, deps]
