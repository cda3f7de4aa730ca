import { filesIn, importsOf, packageOf, type Rule, type Tree } from './tree'

const modules = /\.(tsx?|mjs)$/
const manifests = /^((packages|services)\/[^/]+\/)?package\.json$/

/** What a package is used by although no module imports it. */
function isTool(tree: Tree, folder: string, name: string): boolean {
  if (folder === '') return ['@biomejs/biome', 'bun', 'bun-types', 'drizzle-kit', 'typescript'].includes(name)
  // Built and served, not imported.
  if (name === '@bursar/console') return folder === 'services/gateway'
  // openapi-typescript's compiler, which is no longer the root's.
  if (name === 'typescript') return folder === 'packages/testing'
  // drizzle-kit looks for both from the folder that it runs in.
  return /^drizzle-(orm|kit)$/.test(name) && tree.has(`${folder}/drizzle.config.ts`)
}

const packageName = (from: string): string => from.split('/', from.startsWith('@') ? 2 : 1).join('/')

/** The rules' own samples import what is not there. */
const hasSamples = (path: string): boolean => path.startsWith('test/tidy/')

interface Manifest {
  name?: string
  workspaces?: { catalog?: Record<string, string> }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
}

const versionsIn = ({ dependencies, devDependencies, peerDependencies }: Manifest): Record<string, string> => ({
  ...dependencies,
  ...devDependencies,
  ...peerDependencies,
})

const dependencies: Rule = {
  says: 'what a package imports stands in its package.json, and what stands there is used',
  complaints: (tree) =>
    filesIn(tree, manifests).flatMap(([path, text]) => {
      const folder = packageOf(path)
      const manifest: Manifest = JSON.parse(text)
      const declared = Object.keys(versionsIn(manifest))
      const files = filesIn(tree, modules).filter(([file]) => packageOf(file) === folder && !hasSamples(file))
      const froms = files.flatMap(([, module]) => importsOf(module).map(({ from }) => from))
      const outside = froms.filter((from) => !/^(\.|#|node:|bun(:|$))/.test(from)).map(packageName)
      const used = new Set(outside.flatMap((name) => [name, `@types/${name}`]))
      return [
        ...[...new Set(outside)]
          .filter((name) => name !== manifest.name && !declared.includes(name))
          .map((name) => `${path}: ${name} is imported but not declared`),
        ...declared
          .filter((name) => !used.has(name) && !isTool(tree, folder, name))
          .map((name) => `${path}: ${name} is declared but not used`),
      ]
    }),
  breaks: [
    { 'packages/a/package.json': '{}', 'packages/a/src/x.ts': "import { y } from '@bursar/b/y'\n" },
    { 'packages/a/package.json': '{ "dependencies": { "big.js": "7.0.1" } }', 'packages/a/src/x.ts': 'export {}\n' },
    { 'package.json': '{}', 'scripts/x.ts': "const { y } = await import('y')\n" },
  ],
}

const versions: Rule = {
  says: 'a version is exact; one that several packages need stands once, in the catalog of the root package.json',
  complaints: (tree) => {
    const all = filesIn(tree, manifests).flatMap(([path, text]) =>
      Object.entries(versionsIn(JSON.parse(text))).map(([name, version]) => ({ path, name, version })),
    )
    const outside = all.filter(({ version }) => version !== 'workspace:*')
    const root: Manifest = JSON.parse(tree.get('package.json') ?? '{}')
    const catalog = root.workspaces?.catalog ?? {}
    // openapi-typescript needs an older compiler than ours.
    const usersOf = (name: string) => (name === 'typescript' ? [] : outside).filter((each) => each.name === name).length
    const fixed = [...Object.entries(catalog), ...outside.map(({ name, version }) => [name, version] as const)]
    return [
      ...outside
        .filter(({ name, version }) => version !== 'catalog:' && (usersOf(name) > 1 || name in catalog))
        .map(({ path, name }) => `${path}: ${name}: write "catalog:", and its version into the catalog`),
      ...Object.keys(catalog)
        .filter((name) => usersOf(name) === 0)
        .map((name) => `package.json: ${name} stands in the catalog, and no package takes it`),
      ...fixed
        .filter(([, version]) => version !== 'catalog:' && !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
        .map(([name, version]) => `${name}: ${version} is no exact version`),
    ]
  },
  breaks: [
    {
      'packages/a/package.json': '{ "dependencies": { "x": "1.0.0" } }',
      'packages/b/package.json': '{ "dependencies": { "x": "1.0.0" } }',
    },
    { 'package.json': '{ "workspaces": { "catalog": { "x": "1.0.0" } } }' },
    { 'packages/a/package.json': '{ "dependencies": { "x": "^1.0.0" } }' },
  ],
}

const installScripts: Rule = {
  says: 'of all packages Bun’s alone runs a script when it is installed: it puts its program in place',
  complaints: (tree) => {
    const trusted = JSON.parse(tree.get('package.json') ?? '{}').trustedDependencies
    // Without it Bun trusts a list of its own, with a dependency of Swagger's page that reports each installation to a company.
    return JSON.stringify(trusted) === '["bun"]' ? [] : ['package.json: trustedDependencies is not ["bun"]']
  },
  breaks: [{ 'package.json': '{}' }, { 'package.json': '{ "trustedDependencies": ["bun", "@scarf/scarf"] }' }],
}

export const packageRules = [dependencies, versions, installScripts]
