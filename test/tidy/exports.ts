import { filesIn, isTest, type Rule, type Tree } from './tree'

const modules = /^(packages|services|scripts|test)\/.*\.tsx?$/
/** What the outside of a package may import. */
const entrances = /^packages\/[^/]+\/src\/index\.ts$/
/** Its users are programs of others. */
const published = /^packages\/client\/src\//

const declared = /^export (?:async )?(?:function\*?|const|class|interface|type) ([\w$]+)/gm

/** By name: the files that have it, but for the entrances of packages. */
function filesByName(tree: Tree): Map<string, Set<string>> {
  const files = new Map<string, Set<string>>()
  for (const [path, text] of filesIn(tree, modules)) {
    if (entrances.test(path) && !published.test(path)) continue
    for (const [name] of text.matchAll(/[A-Za-z_$][\w$]*/g)) files.getOrInsertComputed(name, () => new Set()).add(path)
  }
  return files
}

const wanted: Rule = {
  says: 'what a source exports is named by another file',
  complaints: (tree) => {
    const files = filesByName(tree)
    return filesIn(tree, modules)
      .filter(([path]) => !isTest(path) && !published.test(path) && !path.endsWith('.d.ts'))
      .flatMap(([path, text]) =>
        [...text.matchAll(declared)]
          .map(([, name = '']) => name)
          .filter((name) => [...(files.get(name) ?? [])].every((file) => file === path))
          .map((name) => `${path}: ${name} need not be exported`),
      )
  },
  breaks: [
    { 'services/a/src/x.ts': 'export const rate = 1\nconst twice = rate * 2\n', 'services/a/src/y.ts': 'export {}\n' },
    { 'packages/a/src/x.ts': 'export type Rate = string\n', 'packages/a/src/index.ts': "export { Rate } from './x'\n" },
  ],
}

export const exportRules = [wanted]
