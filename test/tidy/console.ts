import { posix } from 'node:path'
import { filesIn, importsOf, isTest, type Rule, type Tree } from './tree'

const folder = /^packages\/console\/src\//
/** The builds begin at the first three; the last is for the compiler. */
const roots = /^packages\/console\/src\/(main\.tsx|style\/pages\.css|pages\/log-in\/start\.tsx|.*\.d\.ts)$/

/** What a file of the console imports of it; a style sheet by `@import`. */
function importedBy(tree: Tree, path: string, text: string): string[] {
  const froms = path.endsWith('.css')
    ? [...text.matchAll(/@import\s+"([^"]+)"/g)].map(([, from = '']) => from)
    : importsOf(text).map(({ from }) => from)
  return froms
    .filter((from) => from.startsWith('.'))
    .flatMap((from) => {
      const target = posix.join(posix.dirname(path), from)
      return ['', '.ts', '.tsx', '/index.ts', '/index.tsx'].map((end) => target + end).filter((file) => tree.has(file))
    })
}

const nothingDead: Rule = {
  says: 'every file of the console is part of it',
  complaints: (tree) => {
    const files = filesIn(tree, folder).filter(([path]) => /\.(tsx?|css)$/.test(path) && !isTest(path))
    const imported = new Set(files.flatMap(([path, text]) => importedBy(tree, path, text)))
    return files
      .filter(([path]) => !roots.test(path) && !imported.has(path))
      .map(([path]) => `${path}: nothing imports it`)
  },
  breaks: [{ 'packages/console/src/ui/x.tsx': 'export {}\n' }, { 'packages/console/src/style/x.css': '' }],
}

const noHtmlStyles: Rule = {
  says: 'the console styles by classes: its content security policy refuses inline styles and HTML from text',
  complaints: (tree) =>
    filesIn(tree, /^packages\/console\/src\/.*\.tsx$/).flatMap(([path, text]) =>
      /\sstyle=|dangerouslySetInnerHTML|\.innerHTML\b/.test(text) ? [`${path}: write a class, or an element`] : [],
    ),
  breaks: [
    { 'packages/console/src/ui/x.tsx': "<p style={{ color: 'red' }} />\n" },
    { 'packages/console/src/ui/x.tsx': '<p dangerouslySetInnerHTML={x} />\n' },
  ],
}

/** A control of a form, to its end. */
const controls = /<(?:input|select|textarea)\b(?:(?!\/>|<\/).)*/gs

const ownSentences: Rule = {
  says: 'a control that the browser checks says its problem below it, by useChecked',
  complaints: (tree) =>
    filesIn(tree, /^packages\/console\/src\/.*\.tsx$/).flatMap(([path, text]) =>
      [...text.matchAll(controls)]
        .map(([control]) => control)
        .filter((control) => /\s(required|minLength|pattern)\b|type="(email|url)"/.test(control))
        .filter((control) => !/\bcontrol\b|type="radio"/.test(control))
        .map(() => `${path}: spread the control of useChecked, or take Field, TextField or Choice`),
    ),
  breaks: [
    { 'packages/console/src/ui/x.tsx': '<input name="x" onInput={() => y} required />\n' },
    { 'packages/console/src/ui/x.tsx': '<textarea minLength={3}></textarea>\n' },
  ],
}

export const consoleRules = [nothingDead, noHtmlStyles, ownSentences]
